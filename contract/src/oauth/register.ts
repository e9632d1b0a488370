import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { doc, int, string, strings } from '../schemas.ts'
import { label } from '../text.ts'
import { OAuthError, oauthErrorResponses } from './errors.ts'

// The endpoint has no credential, and it returns 404 while it is off.
const { 401: _, ...errors } = { ...oauthErrorResponses, 404: OAuthError }

const registered = {
  redirect_uris: z
    .array(z.string())
    .min(1)
    .max(bounds.redirectUris)
    .meta({
      description:
        'Addresses that receive codes: https, or http on loopback with any port. Others are left out of the registration.',
      example: ['http://127.0.0.1/callback'],
    }),
  client_name: label(bounds.registeredName)
    .default('App')
    .meta(doc('Name of the app. The consent page marks it as unverified.', 'Example Host')),
  token_endpoint_auth_method: z
    .literal('none')
    .default('none')
    .describe('Registered clients are public, so they have no secret.'),
  scope: string(
    'Scopes that the client may request; by default all that unverified clients may have.',
    'user:read:user',
  ).optional(),
}

/** Client metadata (RFC 7591 §2). */
export const RegistrationRequest = z
  .object(registered)
  .meta({ id: 'RegistrationRequest', description: 'The metadata of a client.' })

/** A registered client (RFC 7591 §3.2.1). */
export const RegistrationResponse = z
  .object({
    ...registered,
    client_id: string('Id of the client.', demo.apps.scheduler.clientId),
    client_id_issued_at: int('Time of the registration, Unix time in seconds.', 1795253460),
    scope: string('Scopes that the client may request.', 'user:read:user'),
    grant_types: strings('Grant types of the client.', ['authorization_code', 'refresh_token']),
    response_types: strings('Response types of the client.', ['code']),
  })
  .meta({ id: 'RegistrationResponse', description: 'The registered client.' })

/** Dynamic client registration (spec/decisions.md#client-documents; RFC 7591 §3). */
export const registerContract = c.mutation({
  method: 'POST',
  path: '/oauth/register',
  summary: 'Register a client',
  description:
    'For clients that have neither an app of a developer nor a client id metadata document. The operator can switch it on; otherwise it returns 404. Clients without a grant are deleted 30 days after their registration.',
  body: RegistrationRequest,
  responses: { 201: RegistrationResponse, ...errors },
  metadata: metadata({ auth: 'none', limit: 'registration', tag: 'Tokens' }),
})
