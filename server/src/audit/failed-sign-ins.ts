import type { Context } from '../context/context.ts'
import { networkOf } from '../limits/client-address.ts'
import { type Act, record, userParty } from './record.ts'

export type FailedSignIns = ReturnType<typeof createFailedSignIns>

/** Most entries of one minute that name their user and network; the others share one. */
const mostEntries = 200

/** Failures of one user in one network. */
type Failures = Pick<Act, 'whom' | 'accountId'> & { network: string | null; count: number }

/**
 * Failed sign-ins, collected in memory and written once a minute, so that guessing causes few writes
 * however many guesses it makes. A crash loses at most that minute.
 */
export function createFailedSignIns(ctx: Pick<Context, 'clock' | 'db' | 'random'>) {
  let failures = new Map<string, Failures>()

  const add = (key: string, failure: Failures) => {
    const known = failures.get(key)
    if (known) known.count += failure.count
    else failures.set(key, failure)
  }

  return {
    /** Counts one; without a user where the email is nobody's. `address` as `clientAddress` folds it. */
    note(user: { id: string; accountId: string } | undefined, address: string) {
      const network = networkOf(address)
      const key = `${user?.id ?? ''} ${network}`
      const isNamed = failures.has(key) || failures.size < mostEntries
      if (!isNamed) return add('', { network: null, count: 1 })
      const whom = user && userParty(user.id)
      add(key, { whom, accountId: user?.accountId, network, count: 1 })
    },
    /** Writes what was counted: an entry for each user and network. */
    async flush(): Promise<void> {
      if (failures.size === 0) return
      const written = failures
      failures = new Map()
      try {
        await ctx.db.write(async (trx) => {
          for (const { network, ...act } of written.values()) {
            await record({ ...ctx, network }, trx, { action: 'sign-in.failed', ...act })
          }
        })
      } catch (error) {
        for (const [key, failure] of written) add(key, failure)
        throw error
      }
    },
  }
}
