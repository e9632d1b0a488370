import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { int, string } from '../schemas.ts'
import { oauthErrorResponses } from './errors.ts'
import { clientParameters, formDescription } from './parameters.ts'

const c = initContract()

/** What a device shows its user (OAuth spec §2; RFC 8628 §3.2). */
export const DeviceCodeResponse = z
  .object({
    device_code: string('To poll the token endpoint with.', 'sdc_EXAMPLE'),
    user_code: string('What the user enters.', 'BCDF-GHJK'),
    verification_uri: string('Where the user enters it.', 'https://auth.example.com/oauth_device'),
    verification_uri_complete: string(
      'The same with the code filled in, for a QR code.',
      'https://auth.example.com/oauth/device/complete/BCDF-GHJK',
    ),
    expires_in: int('Seconds until the codes end.', 900),
    interval: int('Least seconds between polls.', 5),
  })
  .meta({ id: 'DeviceCodeResponse', description: 'Codes for a device without a browser.' })

/** Device authorization (OAuth spec §4; RFC 8628 §3.1). */
export const deviceContract = c.mutation({
  method: 'POST',
  path: '/oauth/devicecode',
  contentType: 'application/x-www-form-urlencoded',
  summary: 'Ask for a device code',
  description:
    'For general apps that have the device setting. The user opens the address on another device; the app polls the token endpoint.',
  body: z
    .object({
      ...clientParameters,
      client_id: string(
        'Id of the app. A Basic header that names it may stand in for it.',
        demo.apps.scheduler.clientId,
      ).optional(),
      scope: string('Scopes to ask for; all of the app without it.', 'user:read:user').optional(),
    })
    .meta({ id: 'DeviceCodeRequest', description: formDescription }),
  responses: { 200: DeviceCodeResponse, ...oauthErrorResponses },
  metadata: metadata({
    auth: 'client',
    form: true,
    requires: ['client_id'],
    limit: 'authorize',
    tag: 'Tokens',
  }),
})
