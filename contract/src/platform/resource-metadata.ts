import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { mcpPaths } from '../oauth/resources.ts'
import { c } from '../router.ts'
import { string, strings } from '../schemas.ts'
import { PlatformError } from './errors.ts'

/** Protected resource metadata (RFC 9728 §2). */
export const ResourceMetadata = z.object({
  resource: string('Address of the resource.'),
  authorization_servers: strings('Addresses of its authorization services.'),
  scopes_supported: strings(
    'Scopes to request first. The resource names others when it needs them.',
  ),
  bearer_methods_supported: strings('Where requests carry the token.'),
  resource_name: string('Name for people.'),
  resource_documentation: string('Human-readable documentation.'),
})

/**
 * Address of the metadata of a resource: this path, and the path of the resource (RFC 9728 §3.1).
 */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

const describing = <const P extends string>(path: P) =>
  ({
    method: 'GET',
    path: `${resourceMetadataPath}${path}`,
    responses: { 200: ResourceMetadata, 400: PlatformError, 503: PlatformError },
    metadata: metadata({ auth: 'none', limit: 'none', maxAge: 300 }),
  }) as const

/** The metadata of each resource, by which clients find the authorization service (RFC 9728). */
export const resourceMetadataContract = c.router({
  metadata: c.router({
    host: describing(''),
    api: describing('/v2'),
    mcp: describing(mcpPaths[0]),
    mcpAlias: describing(mcpPaths[1]),
  }),
})
