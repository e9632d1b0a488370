import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { sessionLifetime } from '../platform/sign-in.ts'
import { consentLifetime } from './authorize.ts'
import { type DatedTable, purgeExpired, purgeExpiredRefreshTokens } from './store/expired.ts'
import { purgeEndedGrants } from './store/grants.ts'
import { purgeUsedTokens } from './store/refresh-tokens.ts'

/** Rows of one transaction: few enough that no request waits long for its turn. */
const limit = 200

const day = 86_400_000

/** Tokens and codes are kept so long after they expired, to be told from what never was, ms. */
const memory = day

/** How long a used refresh token is known again, and an ended grant the reason for its end, ms. */
const usedTokenMemory = 30 * day
const endedGrantMemory = 30 * day

/** Removes what has had its time, batch after batch; gives how many rows. */
export async function removeExpired(
  ctx: Pick<Context, 'config' | 'db' | 'steadyNow'>,
): Promise<number> {
  const now = ctx.steadyNow()
  const { accessToken, authorizationCode, deviceCode, refreshToken } = ctx.config.lifetimes
  const lives = [
    ['access_tokens', accessToken, memory],
    ['authorization_codes', authorizationCode, memory],
    ['device_codes', deviceCode, memory],
    ['consent_requests', consentLifetime, 0],
    ['sessions', sessionLifetime, 0],
  ] as const satisfies [DatedTable, number, number][]
  const expired = (life: number, kept: number) => {
    const expiredBefore = now - kept
    return { issuedBefore: expiredBefore - life, expiredBefore, limit }
  }
  let removed = 0
  const removeAll = async (purge: (trx: Db) => Promise<number>) => {
    for (;;) {
      const count = await ctx.db.write(purge)
      removed += count
      if (count < limit) return
    }
  }
  for (const [table, life, kept] of lives) {
    await removeAll((trx) => purgeExpired(trx, table, expired(life, kept)))
  }
  await removeAll((trx) => purgeExpiredRefreshTokens(trx, expired(refreshToken, memory)))
  await removeAll((trx) => purgeUsedTokens(trx, now - usedTokenMemory, limit))
  await removeAll((trx) => purgeEndedGrants(trx, now - endedGrantMemory, limit))
  return removed
}
