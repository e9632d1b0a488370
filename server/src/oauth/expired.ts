import { inBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { sessionLifetime } from '../platform/sign-in.ts'
import { consentLifetime } from './authorize.ts'
import type { OAuthContext } from './context.ts'
import {
  type DatedTable,
  purgeExpired,
  purgeExpiredRefreshTokens,
  purgePast,
} from './store/expired.ts'

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
  ctx: Pick<OAuthContext, 'config' | 'db' | 'steadyNow'>,
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
  const purges: ((trx: Db) => Promise<number>)[] = [
    ...lives.map(
      ([table, life, kept]) =>
        (trx: Db) =>
          purgeExpired(trx, table, expired(life, kept)),
    ),
    (trx) => purgePast(trx, 'meeting_tokens', now, limit),
    (trx) => purgeExpiredRefreshTokens(trx, expired(refreshToken, memory)),
    (trx) => purgePast(trx, 'refresh_tokens', now - usedTokenMemory, limit),
    (trx) => purgePast(trx, 'grants', now - endedGrantMemory, limit),
  ]
  let removed = 0
  for (const purge of purges) removed += await inBatches(ctx.db, limit, purge)
  return removed
}
