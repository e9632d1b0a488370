import { grantTypes, oauthContract, type ServerMetadata, scopeCatalogue } from '@skillpass/contract'
import type { z } from 'zod'
import { assertionAlgorithms } from './client-assertion.ts'
import type { OAuthContext } from './context.ts'

const withSecret = ['client_secret_basic', 'client_secret_post']

/** Returns the authorization server metadata (RFC 8414 §2). */
export function serverMetadata({ config }: OAuthContext): z.output<typeof ServerMetadata> {
  const { authUrl, baseUrl, sendsIssuer, clientDocuments } = config
  const withKey = clientDocuments === false ? [] : ['private_key_jwt']
  return {
    issuer: authUrl,
    authorization_endpoint: authUrl + oauthContract.authorize.path,
    token_endpoint: authUrl + oauthContract.token.path,
    device_authorization_endpoint: authUrl + oauthContract.device.path,
    revocation_endpoint: authUrl + oauthContract.revoke.path,
    introspection_endpoint: authUrl + oauthContract.introspect.path,
    ...(config.registersClients && {
      registration_endpoint: authUrl + oauthContract.register.path,
    }),
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: scopeCatalogue.map(({ scope }) => scope),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...grantTypes],
    token_endpoint_auth_methods_supported: [...withSecret, 'none', ...withKey],
    ...(withKey.length > 0 && {
      token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    }),
    revocation_endpoint_auth_methods_supported: [...withSecret, 'none', ...withKey],
    introspection_endpoint_auth_methods_supported: [...withSecret, ...withKey],
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: sendsIssuer,
    client_id_metadata_document_supported: clientDocuments !== false,
  }
}
