import { type Db, inBatches } from '../db/query.ts'
import { sessionLifetime } from '../platform/sign-in.ts'
import { consentLifetime } from './authorize.ts'
import type { OAuthContext } from './context.ts'
import { purgeExpired, purgeExpiredRefreshTokens, purgePast } from './store/expired.ts'

const day = 86_400_000

/**
 * Deletes expired rows in batches and returns their number. Tokens and codes stay for a day after
 * they expire, so that their use returns a specific error. Used refresh tokens and ended grants
 * stay for 30 days, to detect reuse and to report why a grant ended.
 */
export async function removeExpired(ctx: OAuthContext): Promise<number> {
  const now = ctx.steadyNow()
  const { accessToken, authorizationCode, deviceCode, refreshToken } = ctx.config.lifetimes
  const purges: ((trx: Db, limit: number) => Promise<number>)[] = [
    (trx, limit) => purgeExpired(trx, 'access_tokens', accessToken, now - day, limit),
    (trx, limit) => purgeExpired(trx, 'authorization_codes', authorizationCode, now - day, limit),
    (trx, limit) => purgeExpired(trx, 'device_codes', deviceCode, now - day, limit),
    (trx, limit) => purgeExpired(trx, 'consent_requests', consentLifetime, now, limit),
    (trx, limit) => purgeExpired(trx, 'sessions', sessionLifetime, now, limit),
    (trx, limit) => purgePast(trx, 'meeting_tokens', now, limit),
    (trx, limit) => purgePast(trx, 'client_assertions', now - day, limit),
    (trx, limit) => purgeExpiredRefreshTokens(trx, refreshToken, now - day, limit),
    (trx, limit) => purgePast(trx, 'refresh_tokens', now - 30 * day, limit),
    (trx, limit) => purgePast(trx, 'grants', now - 30 * day, limit),
  ]
  let removed = 0
  for (const purge of purges) removed += await inBatches(ctx.db, purge)
  return removed
}
