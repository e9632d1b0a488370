import { basicScopes, mcpPaths, type ResourceMetadata } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import type { Resource } from '../store/oauth/grants.ts'

/** Paths of the resource API. Its tokens name the second one in `aud`. */
const apiPaths = ['/v2', '']

/**
 * Reads the parameter `resource` (spec/decisions.md#resources, RFC 8707 §2). Without it, a token is
 * for the resource API. Throws invalid_target if it names none of the service's resources.
 */
export function readResource({ config: { apiUrl } }: Context, text: string | undefined) {
  if (text === undefined) return null
  const requested = normalize(text)
  const isOneOf = (paths: readonly string[]) =>
    paths.some((path) => normalize(apiUrl + path) === requested)
  if (isOneOf(mcpPaths)) return 'mcp'
  if (isOneOf(apiPaths)) return null
  fail('invalid_target', `resource must be ${apiUrl}/v2 or ${apiUrl}${mcpPaths[0]}.`)
}

/** Checks that a token request names no other resource than its grant. Throws invalid_target. */
export function requireResource(ctx: Context, text: string | undefined, bound: Resource) {
  if (text === undefined || readResource(ctx, text) === bound) return
  fail(
    'invalid_target',
    `The user authorized ${resourceUrl(ctx, bound)}. Omit resource, or send the user to authorize again.`,
  )
}

/** Returns the address that identifies a resource in messages and in `aud`. */
export const resourceUrl = ({ config: { apiUrl } }: Context, resource: Resource): string =>
  resource === 'mcp' ? apiUrl + mcpPaths[0] : apiUrl

/** Describes the resource at a path below API_URL (spec/decisions.md#resources, RFC 9728 §2). */
export function describeResource(
  { config: { apiUrl, authUrl, baseUrl } }: Context,
  path: string,
): z.output<typeof ResourceMetadata> {
  const isMcp = mcpPaths.some((one) => one === path)
  return {
    resource: apiUrl + path,
    authorization_servers: [authUrl],
    scopes_supported: [...basicScopes],
    bearer_methods_supported: ['header'],
    resource_name: `${isMcp ? 'MCP server' : 'Resource API'} of the meeting platform`,
    resource_documentation: `${baseUrl}/docs`,
  }
}

/** A trailing slash does not count. A resource has no fragment (RFC 8707 §2). */
const normalize = (url: string): string | undefined =>
  URL.canParse(url) && !url.includes('#') ? new URL(url).href.replace(/\/+$/, '') : undefined
