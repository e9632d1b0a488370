import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { int, named, string } from '../schemas.ts'
import { oauthErrorResponses } from './errors.ts'
import {
  clientParameters,
  formDescription,
  resourceParameter,
  scopeParameter,
} from './parameters.ts'

/** Values of `grant_type` (spec/oauth.md#token-endpoint). */
export const grantTypes = [
  'account_credentials',
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'client_credentials',
] as const

export type GrantType = (typeof grantTypes)[number]

const grantTypeMeta = { description: 'Grant type.' }

const grant = <G extends GrantType, S extends z.ZodRawShape>(
  grantType: G,
  id: string,
  description: string,
  shape: S,
) =>
  z
    .object({
      grant_type: z.literal(grantType).meta(grantTypeMeta),
      ...shape,
      resource: resourceParameter,
      ...clientParameters,
    })
    .meta({ id, description })

/** Parameters of the token endpoint, by grant type (spec/oauth.md#token-endpoint). */
export const TokenRequest = z
  .discriminatedUnion('grant_type', [
    grant(
      'account_credentials',
      'AccountCredentialsRequest',
      "An app acts on its owner's account.",
      {
        account_id: string('Account to whose data the token gives access.', demo.account.id),
        scope: scopeParameter.optional(),
      },
    ),
    grant(
      'authorization_code',
      'AuthorizationCodeRequest',
      'Exchanges the authorization code of a user.',
      {
        code: string('The code that `redirect_uri` received.', 'sac_EXAMPLE'),
        // Optional in the schema, so that a missing value returns 4709 instead of invalid_request.
        redirect_uri: string(
          'The `redirect_uri` of the authorization request, unchanged.',
          demo.redirectUri,
        ).optional(),
        code_verifier: string(
          'PKCE verifier of the challenge (RFC 7636).',
          'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        ).optional(),
      },
    ),
    grant('refresh_token', 'RefreshTokenRequest', 'Refreshes the tokens of a grant.', {
      refresh_token: string('The latest refresh token.', 'srt_EXAMPLE'),
      scope: scopeParameter.optional(),
    }),
    grant(
      'urn:ietf:params:oauth:grant-type:device_code',
      'DeviceTokenRequest',
      'Polls for the tokens of a device (RFC 8628).',
      { device_code: string('The `device_code` of the device code response.', 'sdc_EXAMPLE') },
    ),
    grant('client_credentials', 'ClientCredentialsRequest', 'A chatbot requests its own token.', {
      scope: scopeParameter.optional(),
    }),
  ])
  .meta(named('TokenRequest', formDescription))

/** Token response (spec/oauth.md#token-response; RFC 6749 §5.1). */
export const TokenResponse = z
  .object({
    access_token: string('Token for the header `Authorization: Bearer`.', 'sat_EXAMPLE'),
    token_type: z.literal('bearer').describe('Always `bearer`.'),
    refresh_token: string(
      'Token for the next refresh. Only in user, device and refresh grants. Works once.',
      'srt_EXAMPLE',
    ).optional(),
    expires_in: int('Lifetime of the access token in seconds.', 3600),
    scope: string('Granted scopes, separated by spaces.', 'user:read:user'),
    api_url: string('Base address of the resource API.', 'https://api.example.com'),
  })
  .meta({ id: 'TokenResponse', description: 'A new access token.' })

/** The token endpoint (spec/oauth.md#token-endpoint; RFC 6749 §3.2). */
export const tokenContract = c.mutation({
  method: 'POST',
  path: '/oauth/token',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Issue or refresh an access token',
  description: `Send the parameters in a form body, or all of them except \`client_secret\` in the query. Send each parameter once. An empty parameter counts as absent.

| grant_type | purpose | parameters |
| --- | --- | --- |
| \`account_credentials\` | act on the account of the app's owner | \`account_id\`, \`scope\` to request fewer scopes |
| \`authorization_code\` | exchange the code of a user | \`code\`, \`redirect_uri\`, \`code_verifier\` with PKCE |
| \`refresh_token\` | refresh the tokens | \`refresh_token\`, \`scope\` to request fewer scopes |
| \`urn:ietf:params:oauth:grant-type:device_code\` | poll for the tokens of a device | \`device_code\` |
| \`client_credentials\` | send messages as a chatbot | none |`,
  body: TokenRequest,
  responses: { 200: TokenResponse, ...oauthErrorResponses },
  metadata: metadata({
    auth: 'client',
    form: true,
    requires: ['redirect_uri'],
    limit: 'none',
    tag: 'Tokens',
  }),
})
