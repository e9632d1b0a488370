import type { Introspection } from '@skillpass/contract'
import type { z } from 'zod'
import type { OAuthClient } from '../apps/store/clients.ts'
import { fail } from '../errors/failure.ts'
import { dateOf } from '../secrets/secrets.ts'
import type { OAuthContext } from './context.ts'
import { isAvailableTo } from './refusals.ts'
import { resourceUrl } from './resources.ts'
import { findToken } from './revoke.ts'

/** Describes a client's token. Other clients' tokens are inactive (RFC 7662 §2.2). */
export async function introspectToken(
  ctx: OAuthContext,
  client: OAuthClient,
  text: string,
): Promise<z.output<typeof Introspection>> {
  if (client.app.publicClient)
    fail('credentials_missing', 'Public clients cannot introspect tokens.')
  const token = await findToken(ctx.db.read, text)
  if (!token || token.clientId !== client.clientId) return { active: false }
  const isUsedUp = 'usedAt' in token && (token.usedAt !== null || !token.userExists)
  const isInactive = token.ended || isUsedUp || token.expiresAt <= ctx.steadyNow()
  const isUnavailable = token.userId !== null && !isAvailableTo(client, token.accountId)
  if (isInactive || isUnavailable || client.app.disabledAt !== null) return { active: false }
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: token.clientId,
    token_type: token.tokenType,
    exp: Math.floor(token.expiresAt / 1000),
    iat: dateOf(token.key),
    account_id: token.accountId,
    aud: resourceUrl(ctx, token.resource),
    iss: ctx.config.authUrl,
    ...(token.userId === null ? {} : { sub: token.userId }),
  }
}
