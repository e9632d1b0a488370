import { z } from 'zod'
import { demo } from '../demo.ts'
import { Instant, string } from '../schemas.ts'

/** Events that an app's endpoint receives (OAuth spec §6; open-points D). */

const EventTime = z.int().min(0).meta({
  description: 'When it happened, in milliseconds since 1970; the same at every attempt.',
  example: 1795253400000,
  format: 'int64',
})

/** Sent to a public app for each user whose data it may no longer read (OAuth spec §6). */
export const AppDeauthorizedEvent = z
  .object({
    event: z.literal('app_deauthorized').meta({ description: 'What happened.' }),
    event_ts: EventTime,
    payload: z
      .object({
        account_id: string('The account of the user.', demo.account.id),
        user_id: string(
          'The user who no longer has the app: delete all data about this user.',
          demo.users.owner.id,
        ),
        signature: string(
          'Hex HMAC-SHA256 of `{client_id}:{user_id}:{account_id}:{deauthorization_time}` under the secret token of the time of the event.',
          '50a4250caf0a537b60bda44debb2e7347e81d4d97d4db2fbdfbcac0ebd1c7943',
        ),
        deauthorization_time: Instant,
        client_id: string('The client id of the app that was removed.', 'Zk3vT1nQx8sR5mWc2yLb7g'),
      })
      .meta({ description: 'Which user no longer has which app.' }),
  })
  .meta({
    id: 'AppDeauthorizedEvent',
    description:
      'The app has lost access to the data of a user: the user or an admin removed it, an admin withdrew its approval, or the user was removed from the account.',
  })

/** Sent before an endpoint is used, to see that it has the secret token (open-points D). */
export const EndpointValidationEvent = z
  .object({
    event: z.literal('endpoint.url_validation').meta({ description: 'What is asked.' }),
    event_ts: EventTime,
    payload: z
      .object({
        plainToken: string('Random text, to be sent back.', 'q9ibPhGeRZ6ayx5WTrXjRw'),
      })
      .meta({ description: 'What to answer with.' }),
  })
  .meta({
    id: 'EndpointValidationEvent',
    description: 'Asks an endpoint to show that it has the secret token.',
  })

/** What an endpoint answers to its validation, with 200 within 3 seconds (open-points D). */
export const EndpointValidationAnswer = z
  .object({
    plainToken: string('As it came.', 'q9ibPhGeRZ6ayx5WTrXjRw'),
    encryptedToken: string(
      'Hex HMAC-SHA256 of `plainToken` under the secret token.',
      'a217c9748d3d261d0b30f31f12b6dd25a2418872aedcbc6cb6dafa8fb84a3df2',
    ),
  })
  .meta({
    id: 'EndpointValidationAnswer',
    description: 'Shows that the endpoint has the secret token.',
  })

/** An event as it stands in the body of a delivery. */
export const WebhookEvent = z
  .discriminatedUnion('event', [AppDeauthorizedEvent, EndpointValidationEvent])
  .meta({ id: 'WebhookEvent', description: 'An event. Others may be added: ignore those.' })

export type AppDeauthorizedEvent = z.output<typeof AppDeauthorizedEvent>

export type EndpointValidationEvent = z.output<typeof EndpointValidationEvent>

export type EndpointValidationAnswer = z.output<typeof EndpointValidationAnswer>

export type WebhookEvent = z.output<typeof WebhookEvent>
