import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { int, string } from '../schemas.ts'
import { oauthErrorResponses } from './errors.ts'
import { clientParameters, formDescription, scopeParameter } from './parameters.ts'

const c = initContract()

/** Values of `grant_type` (OAuth spec §1, §4). */
export const grantTypes = [
  'account_credentials',
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'client_credentials',
] as const

/** A value of `grant_type`. */
export type GrantType = (typeof grantTypes)[number]

const grantTypeMeta = { description: 'Grant type.' }

const grant = <G extends GrantType, S extends z.ZodRawShape>(
  grantType: G,
  id: string,
  description: string,
  shape: S,
) =>
  z
    .object({ grant_type: z.literal(grantType).meta(grantTypeMeta), ...shape, ...clientParameters })
    .meta({ id, description })

/** What the token endpoint takes: one shape per grant type (OAuth spec §4). */
export const TokenRequest = z
  .discriminatedUnion('grant_type', [
    grant('account_credentials', 'AccountCredentialsRequest', "An app on its owner's account.", {
      account_id: string('Account whose data the token opens.', demo.account.id),
      scope: scopeParameter.optional(),
    }),
    grant('authorization_code', 'AuthorizationCodeRequest', 'A code of a user, for tokens.', {
      code: string('The code that came to redirect_uri.', 'sac_EXAMPLE'),
      // Optional for the schema alone: what is missing is the spec's 4709, and no invalid_request.
      redirect_uri: string(
        'The address of the authorization request, to the letter.',
        demo.redirectUri,
      ).optional(),
      code_verifier: string(
        'PKCE: the verifier of the challenge (RFC 7636).',
        'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      ).optional(),
    }),
    grant('refresh_token', 'RefreshTokenRequest', 'The next pair of tokens.', {
      refresh_token: string('The latest refresh token.', 'srt_EXAMPLE'),
      scope: scopeParameter.optional(),
    }),
    grant(
      'urn:ietf:params:oauth:grant-type:device_code',
      'DeviceTokenRequest',
      'A poll of a device (RFC 8628).',
      { device_code: string('The device code of the device code response.', 'sdc_EXAMPLE') },
    ),
    grant('client_credentials', 'ClientCredentialsRequest', 'A chatbot, for itself.', {
      scope: scopeParameter.optional(),
    }),
  ])
  .meta({
    id: 'TokenRequest',
    description: formDescription,
  })

/** Tokens (OAuth spec §2; RFC 6749 §5.1). */
export const TokenResponse = z
  .object({
    access_token: string('For `Authorization: Bearer`.', 'sat_EXAMPLE'),
    token_type: z.literal('bearer').meta({ description: 'How to use it.' }),
    refresh_token: string(
      'For the next token; user, device and refresh grants only. Each is good once.',
      'srt_EXAMPLE',
    ).optional(),
    expires_in: int('Seconds that the access token lives.', 3600),
    scope: string('Scopes, space-separated.', 'user:read:user'),
    api_url: string('Base address of the resource API.', 'https://api.example.com'),
  })
  .meta({ id: 'TokenResponse', description: 'A new access token.' })

/** The token endpoint (OAuth spec §4; RFC 6749 §3.2). */
export const tokenContract = c.mutation({
  method: 'POST',
  path: '/oauth/token',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Issue or refresh an access token',
  description: `Send the parameters in a form body, or all but \`client_secret\` in the query; each once. An empty one counts as absent.

| grant_type | for | parameters |
| --- | --- | --- |
| \`account_credentials\` | an app on its owner's account | \`account_id\`, \`scope\` to request fewer scopes |
| \`authorization_code\` | a code of a user | \`code\`, \`redirect_uri\`, \`code_verifier\` with PKCE |
| \`refresh_token\` | the next pair of tokens | \`refresh_token\`, \`scope\` to request fewer scopes |
| \`urn:ietf:params:oauth:grant-type:device_code\` | a device that polls | \`device_code\` |
| \`client_credentials\` | a chatbot | none |`,
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
