import { inBatches } from '../db/query.ts'
import { sessionLifetime } from '../people/sign-in.ts'
import type { Context } from '../runtime/context.ts'
import { dayLength } from '../runtime/time.ts'
import { type Purge, purge } from '../store/oauth/expired.ts'
import { consentLifetime } from './authorize.ts'

/**
 * Deletes expired rows in batches and returns their number. Tokens and codes stay for a day after
 * they expire, so that their use returns a specific error. Used refresh tokens and ended grants
 * stay for 30 days, to detect reuse and to report why a grant ended.
 */
export async function removeExpired(ctx: Context): Promise<number> {
  const now = ctx.steadyNow()
  const { accessToken, authorizationCode, deviceCode, refreshToken } = ctx.config.lifetimes
  const purges: Purge[] = [
    { table: 'access_tokens', before: now - dayLength, life: accessToken },
    { table: 'authorization_codes', before: now - dayLength, life: authorizationCode },
    { table: 'device_codes', before: now - dayLength, life: deviceCode },
    { table: 'consent_requests', before: now, life: consentLifetime },
    { table: 'sessions', before: now, life: sessionLifetime },
    { table: 'browser_sessions', before: now },
    { table: 'meeting_tokens', before: now },
    { table: 'client_assertions', before: now - dayLength },
    { table: 'refresh_tokens', before: now - dayLength, life: refreshToken },
    { table: 'refresh_tokens', before: now - 30 * dayLength, time: 'used_at' },
    { table: 'grants', before: now - 30 * dayLength, time: 'ended_at' },
  ]
  let removed = 0
  for (const one of purges) {
    removed += await inBatches(ctx.db, (trx, limit) => purge(trx, one, limit))
  }
  return removed
}
