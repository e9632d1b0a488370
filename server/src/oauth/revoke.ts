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
 * Ends a token's grant, or a token without a grant and its meeting tokens (spec/oauth.md#revoke,
 * RFC 7009). Does nothing for unknown and ended tokens. Throws invalid_grant for a token of another
 * app, which stays active.
 */
export async function revokeToken(ctx: OAuthContext, client: OAuthClient, text: string) {
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
    // Delete the meeting tokens as well, because they can outlive the row of the access token.
    return deleteMeetingTokensOf(trx, key)
  })
}

/** Finds an access or refresh token, whatever its state. */
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
