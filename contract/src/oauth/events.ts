import { z } from 'zod'
import { demo } from '../demo.ts'
import { Instant, named, string } from '../schemas.ts'

/** Time of an event, in every envelope. */
export const EventTime = z.int().min(0).meta({
  description: 'Time of the event in milliseconds since 1970. The same in every attempt.',
  example: 1795253400000,
  format: 'int64',
})

/**
 * The event for a public app when it loses access to a user
 * (spec/oauth.md#deauthorization-webhook).
 */
export const AppDeauthorizedEvent = z
  .object({
    event: z.literal('app_deauthorized').describe('Name of the event.'),
    event_ts: EventTime,
    payload: z
      .object({
        account_id: string('Account of the user.', demo.account.id),
        user_id: string(
          'The user whose data the app can no longer access. Delete all data about this user.',
          demo.users.owner.id,
        ),
        signature: string(
          'Hex HMAC-SHA256 of `{client_id}:{user_id}:{account_id}:{deauthorization_time}` under the secret token that was current at the time of the event.',
          '50a4250caf0a537b60bda44debb2e7347e81d4d97d4db2fbdfbcac0ebd1c7943',
        ),
        deauthorization_time: Instant,
        client_id: string('Client id of the app.', 'Zk3vT1nQx8sR5mWc2yLb7g'),
      })
      .describe('The user and the app.'),
  })
  .meta({
    id: 'AppDeauthorizedEvent',
    description:
      'The app has lost access to the data of a user: the user or an admin removed it, an admin withdrew its approval, or the user was removed from the account.',
  })

/**
 * The event that validates an endpoint before its first use
 * (spec/decisions.md#endpoint-validation).
 */
export const EndpointValidationEvent = z
  .object({
    event: z.literal('endpoint.url_validation').describe('Name of the event.'),
    event_ts: EventTime,
    payload: z
      .object({
        plainToken: string('Random text to send back.', 'q9ibPhGeRZ6ayx5WTrXjRw'),
      })
      .describe('Input for the response.'),
  })
  .meta(named('EndpointValidationEvent', 'Asks an endpoint to prove that it has the secret token.'))

/** Response of an endpoint to its validation, with status 200 within 3 seconds. */
export const EndpointValidationAnswer = z
  .object({
    plainToken: string('The received `plainToken`.', 'q9ibPhGeRZ6ayx5WTrXjRw'),
    encryptedToken: string(
      'Hex HMAC-SHA256 of `plainToken` under the secret token.',
      'a217c9748d3d261d0b30f31f12b6dd25a2418872aedcbc6cb6dafa8fb84a3df2',
    ),
  })
  .meta(named('EndpointValidationAnswer', 'Proof that the endpoint has the secret token.'))

/** The event that a developer sends from the console to try the endpoint. */
export const EndpointTestEvent = z
  .object({
    event: z.literal('endpoint.test').describe('Name of the event.'),
    event_ts: EventTime,
    payload: z
      .object({
        client_id: string('Client id of the app.', 'Zk3vT1nQx8sR5mWc2yLb7g'),
        message: string('Text for people.', 'This is a test. Nobody has removed your app.'),
      })
      .describe('The app.'),
  })
  .meta({
    id: 'EndpointTestEvent',
    description: 'A developer tries the endpoint. Respond with 204 and change nothing.',
  })

export type AppDeauthorizedEvent = z.output<typeof AppDeauthorizedEvent>

export type EndpointValidationEvent = z.output<typeof EndpointValidationEvent>

export type EndpointValidationAnswer = z.output<typeof EndpointValidationAnswer>
