import { basicScopes, mcpPaths, openingScopes, resourceMetadataPath } from '@skillpass/contract'
import type { Request, RequestHandler } from 'express'
import { Failure, fail } from '../errors/failure.ts'
import { noteApp } from '../http/call-log.ts'
import { routeOf } from '../http/request.ts'
import { missingScopesMessage } from '../people/bearer.ts'
import { bearers } from '../people/http.ts'
import type { Context } from '../runtime/context.ts'
import { dateOf, hashSecret, parseSecret, type SecretHash } from '../secrets/secrets.ts'
import type { Resource } from '../store/oauth/grants.ts'
import { findAccessToken } from '../store/oauth/tokens.ts'
import { resourceUrl } from './resources.ts'

/**
 * Authenticates a request to a resource by its access token, and checks that the token has a scope
 * of the route (spec/oauth.md#authentication, RFC 6750 §2.1, §3). A token of another resource
 * opens nothing. Errors of the MCP server tell its clients how to get the right token
 * (spec/decisions.md#resources).
 */
export const authenticateBearer =
  (ctx: Context, resource: Resource = null): RequestHandler =>
  async (req, res, next) => {
    const { path, metadata } = routeOf(req)
    const requirement = metadata.scopes
    if (!requirement) throw new Error(`${path} declares no scopes`)
    const sufficient = openingScopes(requirement)
    let scopes = basicScopes
    try {
      const token = await findValidToken(ctx, req, resource)
      // The challenge asks for the missing scope and those of the token, so that one token replaces
      // it.
      scopes = [...new Set([...sufficient.slice(0, 1), ...token.scopes])]
      if (!token.scopes.some((scope) => sufficient.includes(scope))) {
        fail('insufficient_scope', missingScopesMessage(sufficient, token.scopes))
      }
      bearers.set(res, { ...token, requirement })
    } catch (error) {
      if (resource === 'mcp' && error instanceof Failure) {
        error.challenge = { scope: scopes.join(' '), resource_metadata: metadataUrl(ctx, req) }
      }
      throw error
    }
    next()
  }

async function findValidToken(ctx: Context, req: Request, resource: Resource) {
  const key = hashSecret(readToken(req))
  const token = await findAccessToken(ctx.db.read, key)
  if (token) noteApp(req, token)
  if (!token) return isPastLifetime(ctx, key) ? fail('expired_access_token') : refuseUnknown()
  if (token.ownerRemoved) fail('owner_removed')
  if (token.ended || token.unavailable) fail('token_revoked')
  if (token.disabled) fail('disabled_app')
  if (token.expiresAt <= ctx.steadyNow()) fail('expired_access_token')
  if (token.resource === resource) return token
  const address = resourceUrl(ctx, resource)
  fail(
    'wrong_resource',
    `Access token is for another resource. Request one with resource=${address}.`,
  )
}

/** Returns the address of the metadata of the MCP server, as the client addressed it. */
function metadataUrl({ config }: Context, { originalUrl }: Request): string {
  const asked = mcpPaths.find((path) => originalUrl.toLowerCase().startsWith(path))
  return config.apiUrl + resourceMetadataPath + (asked ?? mcpPaths[0])
}

function readToken({ query, headersDistinct }: Request) {
  // Addresses are logged, so reject a token in the query even if the header also has one.
  if (query.access_token !== undefined) fail('token_in_query')
  const headers = headersDistinct.authorization ?? []
  const [, text] = /^Bearer +(\S.*)$/i.exec(headers[0] ?? '') ?? []
  if (text === undefined) fail('token_empty')
  const secret = headers.length === 1 ? parseSecret('accessToken', text.trimEnd()) : undefined
  return secret ?? refuseUnknown()
}

/**
 * Refuses an invalid token with the same error code as a missing token, but with the different
 * challenge that RFC 6750 §3.1 requires.
 */
function refuseUnknown(): never {
  throw new Failure('token_empty', { hasToken: true })
}

/** Whether a token that is not stored has expired, judging by the time in the token itself. */
const isPastLifetime = ({ config, steadyNow }: Context, key: SecretHash) =>
  dateOf(key) * 1000 + config.lifetimes.accessToken <= steadyNow()
