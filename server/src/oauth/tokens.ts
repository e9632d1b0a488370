import { hkdfSync } from 'node:crypto'
import { type Introspection, parseScopes, type TokenResponse } from '@skillpass/contract'
import type { z } from 'zod'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import type { Random } from '../secrets/random.ts'
import {
  createDatedSecret,
  dateOf,
  hashSecret,
  parseSecret,
  type Secret,
} from '../secrets/secrets.ts'
import type { OAuthClient } from '../store/oauth/clients.ts'
import { endGrant, insertGrant, type Resource } from '../store/oauth/grants.ts'
import * as store from '../store/oauth/tokens.ts'
import { deleteMeetingTokensOf } from '../store/platform/meeting-tokens.ts'
import { isAvailableTo } from './refusals.ts'
import { resourceUrl } from './resources.ts'

/** Body of a token response (spec/oauth.md#token-response). */
export type IssuedTokens = z.infer<typeof TokenResponse>

/** Subject and scopes of a token. Account and client tokens have no grant and no user. */
type TokenSubject = Omit<store.NewAccessToken, 'key' | 'expiresAt'>

/** Source of a token pair: random bytes, or bytes derived from a used refresh token. */
interface TokenSource {
  readonly random: Pick<Random, 'bytes'>
  /** Milliseconds since 1970. */
  readonly now: number
}

async function issueAccessToken(
  ctx: Context,
  trx: Db,
  subject: TokenSubject,
  { random, now }: TokenSource = { random: ctx.random, now: ctx.steadyNow() },
): Promise<IssuedTokens> {
  const accessToken = createDatedSecret('accessToken', random, now)
  const { accessToken: life } = ctx.config.lifetimes
  await store.insertAccessToken(trx, {
    ...subject,
    key: hashSecret(accessToken),
    expiresAt: now + life,
  })
  return describeTokens(ctx, accessToken, life, subject.scopes)
}

/** Issues an account or client token, which has no user and no grant. */
export const issueOwnToken = (
  ctx: Context,
  subject: Pick<TokenSubject, 'clientId' | 'accountId' | 'scopes' | 'resource'>,
): Promise<IssuedTokens> =>
  ctx.db.write((trx) => issueAccessToken(ctx, trx, { ...subject, grantId: null, userId: null }))

export async function issueTokenPair(
  ctx: Context,
  trx: Db,
  subject: TokenSubject & { readonly grantId: string },
  source: TokenSource = { random: ctx.random, now: ctx.steadyNow() },
): Promise<IssuedTokens> {
  const tokens = await issueAccessToken(ctx, trx, subject, source)
  const refreshToken = createDatedSecret('refreshToken', source.random, source.now)
  await store.insertRefreshToken(trx, {
    key: hashSecret(refreshToken),
    grantId: subject.grantId,
    expiresAt: source.now + ctx.config.lifetimes.refreshToken,
  })
  return { ...tokens, refresh_token: refreshToken }
}

/** Returns a UUIDv7, so that grants are stored in the order of creation (RFC 9562). */
export function createGrantId({ random, steadyNow }: Context): string {
  const time = steadyNow().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`
}

export async function issueGrant(
  ctx: Context,
  trx: Db,
  client: OAuthClient,
  grant: { id: string; userId: string; accountId: string; scopes: string; resource: Resource },
): Promise<IssuedTokens> {
  const { clientId, app } = client
  await insertGrant(trx, { ...grant, clientId, appId: app.id, createdAt: ctx.steadyNow() })
  return issueTokenPair(ctx, trx, { ...grant, clientId, grantId: grant.id })
}

/**
 * Recreates the token pair that a used refresh token was exchanged for. Returns undefined if its
 * access token has been deleted.
 */
export async function repeatTokenPair(
  ctx: Context,
  trx: Db,
  used: { token: Secret; salt: string; usedAt: number },
): Promise<IssuedTokens | undefined> {
  const random = successorRandom(used.token, used.salt)
  const accessToken = createDatedSecret('accessToken', random, used.usedAt)
  const refreshToken = createDatedSecret('refreshToken', random, used.usedAt)
  const stored = await store.findAccessToken(trx, hashSecret(accessToken))
  if (!stored) return undefined
  const remaining = stored.expiresAt - ctx.steadyNow()
  return {
    ...describeTokens(ctx, accessToken, remaining, stored.scopes.join(' ')),
    refresh_token: refreshToken,
  }
}

/**
 * Derives bytes from a refresh token and the salt in its row. A stolen token or a stolen database
 * alone does not reveal the successors.
 */
export function successorRandom(token: Secret, salt: string): Pick<Random, 'bytes'> {
  let calls = 0
  return {
    bytes(length) {
      calls++
      return new Uint8Array(hkdfSync('sha256', token, salt, `successor ${calls}`, length))
    },
  }
}

const describeTokens = (
  { config }: Context,
  accessToken: Secret,
  lifeMs: number,
  scope: string,
): IssuedTokens => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: Math.max(0, Math.floor(lifeMs / 1000)),
  scope,
  api_url: config.apiUrl,
})

/**
 * Ends a token's grant, or a token without a grant and its meeting tokens (spec/oauth.md#revoke,
 * RFC 7009). Does nothing for unknown and ended tokens. Throws invalid_grant for a token of another
 * app, which stays active.
 */
export async function revokeToken(ctx: Context, client: OAuthClient, text: string) {
  const found = await findToken(ctx.db.read, text)
  if (!found || found.ended) return
  if (found.clientId !== client.clientId) {
    fail('invalid_grant', 'This token belongs to another app.')
  }
  const { grantId, key } = found
  const now = ctx.steadyNow()
  await ctx.db.write(async (trx) => {
    if (grantId !== null) return endGrant(trx, grantId, 'revoked', now)
    await store.revokeAccessToken(trx, key, now)
    // Delete the meeting tokens as well, because they can outlive the row of the access token.
    return deleteMeetingTokensOf(trx, key)
  })
}

/** Finds an access or refresh token, whatever its state. */
async function findToken(db: Db, text: string) {
  const access = parseSecret('accessToken', text)
  if (access) {
    const key = hashSecret(access)
    const found = await store.findAccessToken(db, key)
    return found && { ...found, key, tokenType: 'bearer' }
  }
  const refresh = parseSecret('refreshToken', text)
  if (!refresh) return undefined
  const key = hashSecret(refresh)
  const found = await store.findRefreshToken(db, key)
  if (!found) return undefined
  const [scopes, ended] = [parseScopes(found.scopes), found.endReason !== null]
  return { ...found, key, scopes, ended, tokenType: 'refresh_token' }
}

/** Describes a client's token. Other clients' tokens are inactive (RFC 7662 §2.2). */
export async function introspectToken(
  ctx: Context,
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
