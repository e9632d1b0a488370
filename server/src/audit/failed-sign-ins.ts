import type { Context, FailedSignIns } from '../runtime/context.ts'
import { networkOf } from '../runtime/limits/client-address.ts'
import { type AuditEvent, record, userParty } from './record.ts'

/** Entries per minute that name a user and a network. Further failures share one entry. */
const maxEntries = 200

type Failures = Pick<AuditEvent, 'whom' | 'accountId'> & { network: string | null; count: number }

/**
 * Collects failed sign-ins in memory and writes them once a minute, so that password guessing
 * causes few writes. A crash loses at most one minute.
 */
export function createFailedSignIns(ctx: Pick<Context, 'clock' | 'db' | 'random'>): FailedSignIns {
  let failures = new Map<string, Failures>()

  const add = (key: string, failure: Failures) => {
    const known = failures.get(key)
    if (known) known.count += failure.count
    else failures.set(key, failure)
  }

  return {
    note(user, address) {
      const network = networkOf(address)
      const key = `${user?.id ?? ''} ${network}`
      const isNamed = failures.has(key) || failures.size < maxEntries
      if (!isNamed) return add('', { network: null, count: 1 })
      const whom = user && userParty(user.id)
      add(key, { whom, accountId: user?.accountId, network, count: 1 })
    },
    async flush() {
      if (failures.size === 0) return
      const pending = failures
      failures = new Map()
      try {
        await ctx.db.write(async (trx) => {
          for (const { network, ...event } of pending.values()) {
            await record({ ...ctx, network }, trx, { action: 'sign-in.failed', ...event })
          }
        })
      } catch (error) {
        for (const [key, failure] of pending) add(key, failure)
        throw error
      }
    },
  }
}
