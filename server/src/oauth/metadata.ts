import { grantTypes, type ServerMetadata, scopeCatalogue } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../context.ts'

const basic = ['client_secret_basic', 'client_secret_post']

/** The document that clients configure themselves from (RFC 8414 §2). */
export function serverMetadata({
  config,
}: Pick<Context, 'config'>): z.output<typeof ServerMetadata> {
  const { authUrl, baseUrl, sendsIssuer } = config
  return {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
    device_authorization_endpoint: `${authUrl}/oauth/devicecode`,
    revocation_endpoint: `${authUrl}/oauth/revoke`,
    introspection_endpoint: `${authUrl}/oauth/introspect`,
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: scopeCatalogue.map(({ scope }) => scope),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...grantTypes],
    token_endpoint_auth_methods_supported: [...basic, 'none'],
    revocation_endpoint_auth_methods_supported: [...basic, 'none'],
    introspection_endpoint_auth_methods_supported: basic,
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: sendsIssuer,
  }
}
