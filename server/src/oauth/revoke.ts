import { parseScopes } from '@skillpass/contract'
import type { OAuthClient } from '../apps/store/clients.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { deleteMeetingTokensOf } from '../platform/store/meeting-tokens.ts'
import { hashSecret, parseSecret } from '../secrets/secrets.ts'
import type { OAuthContext } from './context.ts'
import { findAccessToken, revokeAccessToken } from './store/access-tokens.ts'
import { endGrant } from './store/grants.ts'
import { findRefreshToken } from './store/refresh-tokens.ts'

/**
 * Ends a token's grant, or a token without one and its meeting tokens (OAuth spec §4; RFC 7009). What is
 * unknown or dead is taken as done; a living token of another app is refused and lives on.
 */
export async function revokeToken(
  ctx: OAuthContext,
  client: OAuthClient,
  text: string,
): Promise<void> {
  const found = await findToken(ctx.db.read, text)
  if (!found || found.ended) return
  if (found.clientId !== client.clientId) {
    fail('invalid_grant', 'This token belongs to another app.')
  }
  const { grantId, key } = found
  const now = ctx.steadyNow()
  await ctx.db.write(async (trx) => {
    if (grantId !== null) return endGrant(trx, grantId, 'revoked', now)
    await revokeAccessToken(trx, key, now)
    // Meeting tokens outlive the row of the access token, so they cannot ask it later.
    await deleteMeetingTokensOf(trx, key)
  })
}

/** The access or refresh token of a text, whatever its state. */
export async function findToken(db: Db, text: string) {
  const access = parseSecret('accessToken', text)
  if (access) {
    const key = hashSecret(access)
    const found = await findAccessToken(db, key)
    return found && { ...found, key, tokenType: 'bearer' }
  }
  const refresh = parseSecret('refreshToken', text)
  if (!refresh) return undefined
  const key = hashSecret(refresh)
  const found = await findRefreshToken(db, key)
  if (!found) return undefined
  const [scopes, ended] = [parseScopes(found.scopes), found.endReason !== null]
  return { ...found, key, scopes, ended, tokenType: 'refresh_token' }
}
