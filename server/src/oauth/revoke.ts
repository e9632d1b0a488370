import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors.ts'
import { hashSecret, parseSecret } from '../secrets.ts'
import { findAccessToken, revokeAccessToken } from './store/access-tokens.ts'
import type { Client } from './store/clients.ts'
import { endGrant } from './store/grants.ts'
import { findRefreshToken } from './store/refresh-tokens.ts'

/**
 * Ends the grant that a token belongs to, or a token without one (OAuth spec §4; RFC 7009). What is
 * unknown or dead is taken as done; a living token of another app is refused and lives on.
 */
export async function revokeToken(ctx: Context, client: Client, text: string): Promise<void> {
  const now = ctx.steadyNow()
  const isOwn = await ctx.db.write(async (trx) => {
    const found = await findToken(trx, text)
    if (!found || found.ended) return true
    if (found.clientId !== client.clientId) return false
    if (found.grantId !== null) await endGrant(trx, found.grantId, 'revoked', now)
    else await revokeAccessToken(trx, found.key, now)
    return true
  })
  if (!isOwn) fail('invalid_grant', 'This token belongs to another app.')
}

async function findToken(trx: Db, text: string) {
  const access = parseSecret('accessToken', text)
  if (access) return findAccessToken(trx, hashSecret(access))
  const refresh = parseSecret('refreshToken', text)
  const found = refresh && (await findRefreshToken(trx, hashSecret(refresh)))
  return found && { ...found, ended: found.endReason !== null }
}
