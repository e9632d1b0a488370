import type { Introspection } from '@skillpass/contract'
import type { z } from 'zod'
import type { OAuthClient } from '../apps/store/clients.ts'
import { fail } from '../errors/failure.ts'
import { dateOf, hashSecret, parseSecret, type SecretHash } from '../secrets/secrets.ts'
import type { OAuthContext } from './context.ts'
import { isOpenTo } from './refusals.ts'
import { findAccessToken } from './store/access-tokens.ts'
import { findRefreshToken } from './store/refresh-tokens.ts'

type Answer = z.output<typeof Introspection>

const inactive: Answer = { active: false }

/** What a token is, to the client that it was issued to; inactive to any other (RFC 7662 §2.2). */
export async function introspectToken(
  ctx: OAuthContext,
  client: OAuthClient,
  text: string,
): Promise<Answer> {
  if (client.app.publicClient) fail('credentials_missing', 'A public client cannot ask.')
  const access = parseSecret('accessToken', text)
  if (access) return describeAccess(ctx, client, hashSecret(access))
  const refresh = parseSecret('refreshToken', text)
  return refresh ? describeRefresh(ctx, client, hashSecret(refresh)) : inactive
}

async function describeAccess(
  ctx: OAuthContext,
  client: OAuthClient,
  key: SecretHash,
): Promise<Answer> {
  const token = await findAccessToken(ctx.db.read, key)
  if (!token || token.ended || token.disabled) return inactive
  return describe(ctx, client, key, {
    ...token,
    scope: token.scopes.join(' '),
    tokenType: 'bearer',
  })
}

async function describeRefresh(
  ctx: OAuthContext,
  client: OAuthClient,
  key: SecretHash,
): Promise<Answer> {
  const token = await findRefreshToken(ctx.db.read, key)
  const isGood = token && token.usedAt === null && token.endReason === null && token.userExists
  if (!isGood || client.app.disabled) return inactive
  return describe(ctx, client, key, { ...token, scope: token.scopes, tokenType: 'refresh_token' })
}

interface Described {
  clientId: string
  accountId: string
  userId: string | null
  expiresAt: number
  scope: string
  tokenType: string
}

function describe(
  ctx: OAuthContext,
  client: OAuthClient,
  key: SecretHash,
  token: Described,
): Answer {
  if (token.clientId !== client.clientId || token.expiresAt <= ctx.steadyNow()) return inactive
  if (token.userId !== null && !isOpenTo(client, token.accountId)) return inactive
  return {
    active: true,
    scope: token.scope,
    client_id: token.clientId,
    token_type: token.tokenType,
    exp: Math.floor(token.expiresAt / 1000),
    iat: dateOf(key),
    account_id: token.accountId,
    aud: ctx.config.apiUrl,
    iss: ctx.config.authUrl,
    ...(token.userId === null ? {} : { sub: token.userId }),
  }
}
