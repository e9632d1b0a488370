import { openingScopes, type ScopeRequirement } from '@skillpass/contract'
import type { Request, Response } from 'express'
import type { Context } from '../context/context.ts'
import { type Failure, fail } from '../errors/failure.ts'
import { type AccessTokenRecord, findAccessToken } from '../oauth/store/access-tokens.ts'
import { missingScopesMessage } from '../platform/bearer.ts'
import { hashSecret, parseSecret } from '../secrets/secrets.ts'
import { setAccessToken } from './caller.ts'

/**
 * Lets a request to the resource API pass with an access token that is alive and has a scope of the
 * route's (OAuth spec §5; RFC 6750 §2.1, §3).
 */
export async function authenticateToken(
  ctx: Context,
  req: Request,
  res: Response,
  scopes: ScopeRequirement | undefined,
): Promise<void> {
  const token = await findToken(ctx, req)
  if (scopes) requireScope(token, scopes)
  setAccessToken(res, token)
}

async function findToken(ctx: Context, req: Request): Promise<AccessTokenRecord> {
  // Addresses end up in logs, so a token in one is not taken even where a header brings another.
  if (req.query.access_token !== undefined) fail('invalid_access_token')
  const headers = req.headersDistinct.authorization ?? []
  const [, text] = /^Bearer +(\S.*)$/i.exec(headers[0] ?? '') ?? []
  if (text === undefined) fail('token_empty')
  const secret = headers.length === 1 ? parseSecret('accessToken', text.trimEnd()) : undefined
  if (!secret) fail('invalid_access_token')
  const token = await findAccessToken(ctx.db.read, hashSecret(secret))
  if (!token) fail('invalid_access_token')
  if (token.ended) fail('token_revoked')
  if (token.disabled) fail('disabled_app')
  if (token.expiresAt <= ctx.steadyNow()) fail('expired_access_token')
  return token
}

function requireScope({ scopes }: AccessTokenRecord, needed: ScopeRequirement): void {
  const opening = openingScopes(needed)
  if (scopes.some((scope) => opening.includes(scope))) return
  fail('insufficient_scope', missingScopesMessage(opening, scopes))
}

/** RFC 6750 §3: why, in the words of its registry. */
export function tokenChallenge(failure: Failure, scopes: ScopeRequirement | undefined): string {
  const realm = 'Bearer realm="skillpass"'
  if (failure.code === 'token_empty') return realm
  if (failure.code !== 'insufficient_scope') return `${realm}, error="invalid_token"`
  return `${realm}, error="insufficient_scope", scope="${scopes?.granular ?? ''}"`
}
