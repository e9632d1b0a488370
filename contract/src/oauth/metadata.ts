import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { boolean, string } from '../schemas.ts'
import { OAuthError } from './errors.ts'

const url = (description: string, path: string) =>
  string(description, `https://auth.example.com${path}`)

const words = (description: string, example: string) =>
  z.array(z.string().meta({ example })).meta({ description })

/** Authorization server metadata (RFC 8414 §2). */
export const ServerMetadata = z
  .object({
    issuer: url('Address of the authorization service.', ''),
    authorization_endpoint: url('Address of the consent page.', '/oauth/authorize'),
    token_endpoint: url('Issues tokens.', '/oauth/token'),
    device_authorization_endpoint: url('Issues device codes.', '/oauth/devicecode'),
    revocation_endpoint: url('Revokes tokens.', '/oauth/revoke'),
    introspection_endpoint: url('Introspects tokens.', '/oauth/introspect'),
    registration_endpoint: url(
      'Registers clients, if the operator allows it.',
      '/oauth/register',
    ).optional(),
    service_documentation: url('Human-readable documentation.', '/docs'),
    scopes_supported: words('Supported scopes.', 'user:read:user'),
    response_types_supported: words('Supported values of `response_type`.', 'code'),
    response_modes_supported: words('How the response reaches `redirect_uri`.', 'query'),
    grant_types_supported: words('Supported values of `grant_type`.', 'authorization_code'),
    token_endpoint_auth_methods_supported: words(
      'Supported client authentication methods.',
      'client_secret_basic',
    ),
    token_endpoint_auth_signing_alg_values_supported: words(
      'Signature algorithms of client assertions.',
      'ES256',
    ).optional(),
    revocation_endpoint_auth_methods_supported: words(
      'Supported client authentication methods.',
      'client_secret_basic',
    ),
    introspection_endpoint_auth_methods_supported: words(
      'Supported client authentication methods.',
      'client_secret_basic',
    ),
    code_challenge_methods_supported: words('Supported PKCE methods.', 'S256'),
    authorization_response_iss_parameter_supported: boolean(
      'Whether the authorization response contains `iss` (RFC 9207).',
    ),
    client_id_metadata_document_supported: boolean(
      'Whether `client_id` can be the address of a document that describes the client.',
    ),
  })
  .meta({ id: 'ServerMetadata', description: 'Metadata of the authorization service.' })

/** The metadata endpoint (spec/decisions.md#metadata-and-introspection; RFC 8414 §3). */
export const metadataContract = c.query({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Read the metadata of the authorization service',
  description: 'Clients use this document to configure themselves.',
  // 400 is for a request without Host, or with malformed HTTP.
  responses: { 200: ServerMetadata, 400: OAuthError, 503: OAuthError },
  metadata: metadata({ auth: 'none', limit: 'none', maxAge: 300, tag: 'Authorization' }),
})
