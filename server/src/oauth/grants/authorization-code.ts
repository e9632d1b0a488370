import type { OAuthErrorName } from '@skillpass/contract'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import { hashSecret, parseSecret, type SecretHash } from '../../secrets/secrets.ts'
import * as store from '../../store/oauth/authorization-codes.ts'
import type { OAuthClient } from '../../store/oauth/clients.ts'
import { endGrant } from '../../store/oauth/grants.ts'
import { isRedirectUri } from '../clients.ts'
import { matchesChallenge, needsS256 } from '../pkce.ts'
import { requireResource } from '../resources.ts'
import { createGrantId, issueGrant } from '../tokens.ts'
import {
  errorOfEndedGrant,
  exchange,
  type GrantHandler,
  grantableScopes,
  type RequestOf,
} from './grant-handler.ts'

/** User authorization: exchanges a code from the consent page for tokens (RFC 6749 §4.1.3). */
export const authorizationCode: GrantHandler<'authorization_code'> = {
  grantType: 'authorization_code',
  async run(ctx, client, request) {
    const key = hashSecret(parseSecret('authorizationCode', request.code) ?? fail('code_invalid'))
    const now = ctx.steadyNow()
    return exchange(ctx, async (trx) => {
      const code = await store.findAuthorizationCode(trx, key)
      // A code of another client stays valid and gets the same error as an unknown code.
      if (!code || code.clientId !== client.clientId) return 'code_invalid'
      const isProven = matchesChallenge(code, request.code_verifier)
      if (code.usedAt !== null) return isProven ? endReplayedGrant(trx, key, now) : 'code_invalid'
      const refusal = refusalOf(code, request, now)
      if (refusal) return refusal
      const changed = await errorOfChangedApp(trx, client, code)
      if (changed) return changed
      requireResource(ctx, request.resource, code.resource)
      const granted = await grantableScopes(trx, client, code)
      if (typeof granted === 'string') return granted
      const { userId, accountId, resource } = code
      const id = createGrantId(ctx)
      const isFirst = await store.useAuthorizationCode(trx, {
        key,
        now,
        grantId: isProven ? id : null,
      })
      if (!isProven) return 'code_invalid'
      if (!isFirst) return endReplayedGrant(trx, key, now)
      return issueGrant(ctx, trx, client, { id, userId, accountId, resource, ...granted })
    })
  },
}

/**
 * Ends the grant of a code that is used twice, because the code may have been stolen (RFC 6749
 * §4.1.2). Without the right verifier the grant stays, because anyone may have seen the code in an
 * address.
 */
async function endReplayedGrant(trx: Db, key: SecretHash, now: number): Promise<OAuthErrorName> {
  const code = await store.findAuthorizationCode(trx, key)
  if (code?.grantId) await endGrant(trx, code.grantId, 'replayed', now)
  return 'code_invalid'
}

/** Returns an error if the app's present settings no longer allow the code. */
async function errorOfChangedApp(
  trx: Db,
  client: OAuthClient,
  { redirectUri, codeChallengeMethod }: store.AuthorizationCode,
): Promise<OAuthErrorName | undefined> {
  if (needsS256(client) && codeChallengeMethod !== 'S256') return 'code_invalid'
  return (await isRedirectUri(trx, client, redirectUri)) ? undefined : 'redirect_uri_mismatch'
}

function refusalOf(
  code: store.AuthorizationCode,
  request: RequestOf<'authorization_code'>,
  now: number,
) {
  if (code.endReason !== null) return errorOfEndedGrant(code.endReason, 'code_invalid')
  if (!code.userExists) return 'owner_missing'
  if (code.expiresAt <= now) return 'code_expired'
  return code.redirectUri === request.redirect_uri ? undefined : 'redirect_uri_mismatch'
}
