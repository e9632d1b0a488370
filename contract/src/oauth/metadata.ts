import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { boolean, string } from '../schemas.ts'
import { OAuthError } from './errors.ts'

const c = initContract()

const url = (description: string, path: string) =>
  string(description, `https://auth.example.com${path}`)

const words = (description: string, example: string) =>
  z.array(z.string().meta({ example })).meta({ description })

/** From which clients configure themselves (RFC 8414 §2). */
export const ServerMetadata = z
  .object({
    issuer: url('Address of the authorization service.', ''),
    authorization_endpoint: url('Where users consent.', '/oauth/authorize'),
    token_endpoint: url('Where tokens are issued.', '/oauth/token'),
    device_authorization_endpoint: url('Where devices start.', '/oauth/devicecode'),
    revocation_endpoint: url('Where tokens are revoked.', '/oauth/revoke'),
    introspection_endpoint: url('Where an app asks about its tokens.', '/oauth/introspect'),
    service_documentation: url('Documentation for people.', '/docs'),
    scopes_supported: words('Scopes with a meaning of their own.', 'user:read:user'),
    response_types_supported: words('Values of response_type.', 'code'),
    response_modes_supported: words('How the answer comes to redirect_uri.', 'query'),
    grant_types_supported: words('Values of grant_type.', 'authorization_code'),
    token_endpoint_auth_methods_supported: words('How apps authenticate.', 'client_secret_basic'),
    revocation_endpoint_auth_methods_supported: words(
      'How apps authenticate.',
      'client_secret_basic',
    ),
    introspection_endpoint_auth_methods_supported: words(
      'How apps authenticate.',
      'client_secret_basic',
    ),
    code_challenge_methods_supported: words('PKCE methods.', 'S256'),
    authorization_response_iss_parameter_supported: boolean(
      'Whether `iss` comes with the code (RFC 9207).',
    ),
  })
  .meta({ id: 'ServerMetadata', description: 'What the authorization service can do.' })

/** The metadata document (RFC 8414). */
export const metadataContract = c.query({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Read what the authorization service can do',
  description: 'The document that clients configure themselves from.',
  responses: { 200: ServerMetadata, 503: OAuthError },
  metadata: metadata({ auth: 'none', limit: 'none', tag: 'Authorization' }),
})
