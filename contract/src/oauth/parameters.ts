import { z } from 'zod'
import { demo } from '../demo.ts'
import { string } from '../schemas.ts'

/** Credentials in the form body, for apps that cannot send HTTP Basic. */
export const clientParameters = {
  client_id: string(
    'Client id of the app, if there is no Basic header.',
    demo.apps.scheduler.clientId,
  ).optional(),
  client_secret: string(
    'Client secret of the app, if there is no Basic header. Only in the form body, never in the query.',
    'scs_EXAMPLE',
  ).optional(),
  client_assertion_type: string(
    'Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`, with `client_assertion`.',
    'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  ).optional(),
  client_assertion: string(
    'A JWT that the client signed with its private key (RFC 7523), instead of a secret.',
    'eyJhbGciOiJFUzI1NiJ9.EXAMPLE.EXAMPLE',
  ).optional(),
}

export const scopeParameter = string(
  'Scopes, separated by spaces. Send this to request fewer scopes.',
  'user:read:user',
)

/** The resource that a token is for (spec/decisions.md#resources; RFC 8707 §2). */
export const resourceParameter = string(
  'Address of the resource that the token is for: the resource API (default), or the MCP server, such as `https://api.example.com/v2/mcp`.',
  '',
).optional()

/** Describes the body of an OAuth request (spec/decisions.md#parameter-location). */
export const formDescription =
  'The parameters. A request without a body can send all of them except `client_secret` in the query.'

/** Parameters that name a token (RFC 7009 §2.1, RFC 7662 §2.1). */
export const TokenParameters = z
  .object({
    token: string('An access token or a refresh token.', 'sat_EXAMPLE'),
    token_type_hint: string(
      '`access_token` or `refresh_token`. Optional; the service recognizes both.',
      'access_token',
    ).optional(),
    ...clientParameters,
  })
  .meta({ id: 'TokenParameters', description: formDescription })
