import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { formMetadata } from '../metadata.ts'
import { oauthErrorResponses } from './errors.ts'

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

/** A parameter of an OAuth request: any text, absent where it is empty (RFC 6749 §3.1). */
export const parameter = (description: string, example: string) =>
  z.string().meta({ description, example })

const scope = parameter(
  'Scopes to have, fewer than there could be; space-separated.',
  'user:read:user',
)

/** An app that cannot send Basic sends these in the form body, never in the query. */
export const clientParameters = {
  client_id: parameter(
    'Id of the app, where no Basic header names it.',
    'EXAMPLEclientid00000000',
  ).optional(),
  client_secret: parameter(
    'Secret of the app, in the form body alone, where no Basic header brings it.',
    'scs_EXAMPLE',
  ).optional(),
}

const grant = <G extends GrantType, S extends z.ZodRawShape>(grantType: G, shape: S) =>
  z.object({ grant_type: z.literal(grantType), ...shape, ...clientParameters })

/** What the token endpoint takes: one shape per grant type (OAuth spec §4). */
export const TokenRequest = z
  .discriminatedUnion('grant_type', [
    grant('account_credentials', {
      account_id: parameter(
        'Account whose data the token opens.',
        'b1a6c1d2-7c1e-4b0a-9f6a-8a1c2d3e4f50',
      ),
      scope: scope.optional(),
    }),
    grant('authorization_code', {
      code: parameter('The code that came to redirect_uri.', 'sac_EXAMPLE'),
      redirect_uri: parameter(
        'The same address as at the authorization request.',
        'https://app.example.com/callback',
      ).optional(),
      code_verifier: parameter(
        'PKCE: the verifier of the challenge (RFC 7636).',
        'EXAMPLEverifier',
      ).optional(),
    }),
    grant('refresh_token', {
      refresh_token: parameter('The latest refresh token.', 'srt_EXAMPLE'),
      scope: scope.optional(),
    }),
    grant('urn:ietf:params:oauth:grant-type:device_code', {
      device_code: parameter('The device code of the device code response.', 'sdc_EXAMPLE'),
    }),
    grant('client_credentials', { scope: scope.optional() }),
  ])
  .meta({
    id: 'TokenRequest',
    description: 'Parameters of a token request, in the query or the form body.',
  })

/** Tokens (OAuth spec §2; RFC 6749 §5.1). */
export const TokenResponse = z
  .object({
    access_token: z
      .string()
      .meta({ description: 'For `Authorization: Bearer`.', example: 'sat_EXAMPLE' }),
    token_type: z.literal('bearer').meta({ description: 'How to use it.' }),
    refresh_token: z.string().optional().meta({
      description: 'For the next token; user, device and refresh grants only. Each is good once.',
      example: 'srt_EXAMPLE',
    }),
    expires_in: z
      .int()
      .meta({ description: 'Seconds that the access token lives.', example: 3600 }),
    scope: z.string().meta({ description: 'Scopes, space-separated.', example: 'user:read:user' }),
    api_url: z.string().meta({
      description: 'Base address of the resource API.',
      example: 'https://api.example.com',
    }),
  })
  .meta({ id: 'TokenResponse', description: 'A new access token.' })

/** The token endpoint (OAuth spec §4; RFC 6749 §3.2). */
export const tokenContract = c.router({
  issue: {
    method: 'POST',
    path: '/oauth/token',
    contentType: 'application/x-www-form-urlencoded',
    summary: 'Issue or refresh an access token',
    description:
      'Five grant types. Parameters stand in the query or in a form body, each once. An empty one counts as absent.',
    body: TokenRequest,
    responses: { 200: TokenResponse, ...oauthErrorResponses },
    metadata: formMetadata({ auth: 'client', limit: 'none', tag: 'Tokens' }),
  },
})
