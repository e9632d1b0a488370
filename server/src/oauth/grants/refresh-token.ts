import { type OAuthErrorName, parseScopes } from '@skillpass/contract'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import { hashSecret, parseSecret, type Secret } from '../../secrets/secrets.ts'
import { endGrant } from '../../store/oauth/grants.ts'
import { findRefreshToken, type RefreshToken, useRefreshToken } from '../../store/oauth/tokens.ts'
import { errorOfUser } from '../refusals.ts'
import { requireResource } from '../resources.ts'
import { narrowScopes, stillHas } from '../scopes.ts'
import { type IssuedTokens, issueTokenPair, repeatTokenPair, successorRandom } from '../tokens.ts'
import { errorOfEndedGrant, exchange, type GrantHandler } from './grant-handler.ts'

/** Reuse this soon counts as a race between the client's workers, ms (RFC 9700 §4.14). */
const raceWindow = 60_000

/** Exchanges a refresh token for a new pair, once (RFC 6749 §6, RFC 9700 §4.14). */
export const refreshToken: GrantHandler<'refresh_token'> = {
  grantType: 'refresh_token',
  async run(ctx, client, { refresh_token: text, scope, resource }) {
    const token = parseSecret('refreshToken', text) ?? fail('owner_missing')
    const key = hashSecret(token)
    return exchange(ctx, async (trx) => {
      const known = await findRefreshToken(trx, key)
      if (!known || known.clientId !== client.clientId) return 'owner_missing'
      const refusal = refusalOf(known, ctx.steadyNow())
      if (refusal) return refusal
      // Check for reuse before other errors, because a stolen token must always end the grant.
      if (known.usedAt !== null) return reuse(ctx, trx, token, known)
      // Scopes beyond the user's present role stay, but open nothing.
      const unavailable = errorOfUser(client, known, [])
      if (unavailable) return unavailable
      requireResource(ctx, resource, known.resource)
      const granted = parseScopes(known.scopes)
      if (granted.some((one) => !stillHas(client, one))) return 'scopes_lost'
      const scopes = narrowScopes(scope, granted).join(' ')
      const tokens = await rotate(ctx, trx, token, { ...known, scopes })
      if (tokens) return tokens
      // Another request used the token first. Its writes are visible now.
      const used = await findRefreshToken(trx, key)
      return used ? reuse(ctx, trx, token, used) : 'owner_missing'
    })
  },
}

function refusalOf(token: RefreshToken, now: number): OAuthErrorName | undefined {
  if (token.endReason !== null) return errorOfEndedGrant(token.endReason, 'grant_ended')
  return !token.userExists || token.expiresAt <= now ? 'owner_missing' : undefined
}

/** Issues the successors of a token. Returns undefined if another request was first. */
async function rotate(ctx: Context, trx: Db, token: Secret, known: RefreshToken) {
  const now = ctx.steadyNow()
  const randomSalt = Buffer.from(ctx.random.bytes(16)).toString('base64url')
  const salt = ctx.config.lifetimes.refreshGrace > 0 ? randomSalt : null
  if (!(await useRefreshToken(trx, { key: known.key, now, successorSalt: salt }))) return undefined
  const random = salt === null ? ctx.random : successorRandom(token, salt)
  return issueTokenPair(ctx, trx, known, { random, now })
}

/**
 * Handles a used refresh token. Within the operator's grace period it returns the same successors
 * again. After the race window it ends the grant, because the token may have been stolen.
 */
async function reuse(
  ctx: Context,
  trx: Db,
  token: Secret,
  { usedAt, successorSalt: salt, grantId }: RefreshToken,
): Promise<IssuedTokens | OAuthErrorName> {
  const now = ctx.steadyNow()
  const age = now - (usedAt ?? now)
  if (salt !== null && usedAt !== null && age <= ctx.config.lifetimes.refreshGrace) {
    return (await repeatTokenPair(ctx, trx, { token, salt, usedAt })) ?? 'owner_missing'
  }
  if (age > raceWindow) {
    await endGrant(trx, grantId, 'replayed', now)
    ctx.log.warn(
      { grant: grantId },
      'a used refresh token was presented again; its grant has ended',
    )
  }
  return 'owner_missing'
}
