import { inBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { sessionLifetime } from '../platform/sign-in.ts'
import { consentLifetime } from './authorize.ts'
import type { OAuthContext } from './context.ts'
import { purgeExpired, purgeExpiredRefreshTokens, purgePast } from './store/expired.ts'

/** Rows deleted per transaction. A small batch does not hold up other writes. */
const limit = 200

const day = 86_400_000

/**
 * Deletes expired rows in batches and returns their number. Tokens and codes stay for a day after
 * they expire, so that their use returns a specific error. Used refresh tokens and ended grants
 * stay for 30 days, to detect reuse and to report why a grant ended.
 */
export async function removeExpired(ctx: OAuthContext): Promise<number> {
  const now = ctx.steadyNow()
  const { accessToken, authorizationCode, deviceCode, refreshToken } = ctx.config.lifetimes
  const purges: ((trx: Db) => Promise<number>)[] = [
    (trx) => purgeExpired(trx, 'access_tokens', accessToken, now - day, limit),
    (trx) => purgeExpired(trx, 'authorization_codes', authorizationCode, now - day, limit),
    (trx) => purgeExpired(trx, 'device_codes', deviceCode, now - day, limit),
    (trx) => purgeExpired(trx, 'consent_requests', consentLifetime, now, limit),
    (trx) => purgeExpired(trx, 'sessions', sessionLifetime, now, limit),
    (trx) => purgePast(trx, 'meeting_tokens', now, limit),
    (trx) => purgeExpiredRefreshTokens(trx, refreshToken, now - day, limit),
    (trx) => purgePast(trx, 'refresh_tokens', now - 30 * day, limit),
    (trx) => purgePast(trx, 'grants', now - 30 * day, limit),
  ]
  let removed = 0
  for (const purge of purges) removed += await inBatches(ctx.db, limit, purge)
  return removed
}
