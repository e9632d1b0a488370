import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { int, string } from '../schemas.ts'
import { oauthErrorResponses } from './errors.ts'
import { clientParameters, formDescription } from './parameters.ts'

/** The device authorization response (spec/oauth.md#device-code-response; RFC 8628 §3.2). */
export const DeviceCodeResponse = z
  .object({
    device_code: string('Code for polling the token endpoint.', 'sdc_EXAMPLE'),
    user_code: string('Code that the user enters.', 'BCDF-GHJK'),
    verification_uri: string(
      'Address at which the user enters the code.',
      'https://auth.example.com/oauth_device',
    ),
    verification_uri_complete: string(
      'The same address with the code filled in, for a QR code.',
      'https://auth.example.com/oauth/device/complete/BCDF-GHJK',
    ),
    expires_in: int('Seconds until the codes expire.', 900),
    interval: int('Minimum seconds between polls.', 5),
  })
  .meta({ id: 'DeviceCodeResponse', description: 'Codes for a device without a browser.' })

/** Device authorization (spec/oauth.md#device-code; RFC 8628 §3.1). */
export const deviceContract = c.mutation({
  method: 'POST',
  path: '/oauth/devicecode',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Request a device code',
  description:
    'For general apps with the device setting. The user opens `verification_uri` on another device while the app polls the token endpoint.',
  body: z
    .object({
      ...clientParameters,
      client_id: string(
        'Client id of the app. Required without a Basic header, and otherwise equal to its client id.',
        demo.apps.scheduler.clientId,
      ).optional(),
      scope: string(
        'Requested scopes; by default all registered scopes of the app.',
        'user:read:user',
      ).optional(),
    })
    .meta({ id: 'DeviceCodeRequest', description: formDescription }),
  responses: { 200: DeviceCodeResponse, ...oauthErrorResponses },
  metadata: metadata({
    auth: 'client',
    form: true,
    limit: 'authorize',
    tag: 'Tokens',
  }),
})
