import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { platformErrorResponses } from '../platform/errors.ts'
import { pageFields, pageQuery } from '../platform/page.ts'
import { c } from '../router.ts'
import { doc, Instant, int, string } from '../schemas.ts'
import { AppPath } from './apps.ts'

const Attempt = z
  .object({
    at: Instant.describe('Start of the attempt: ISO 8601, UTC.'),
    duration_ms: int('Duration in milliseconds.', 120),
    status: z.int().nullable().meta(doc('Status of the response. Null without a response.', 200)),
    error: z.string().nullable().meta({
      description: 'Reason for the failure. Null after a success.',
      example: 'The endpoint returned 500 instead of 200 or 204.',
    }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver an event.' })

/** An event for the endpoint of an app, with the attempts to deliver it. */
export const Delivery = z
  .object({
    id: string('Id of the event, the same in every attempt.', demo.delivery),
    event: string('Name of the event.', 'app_deauthorized'),
    created_at: Instant.describe('Time of the event: ISO 8601, UTC.'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .meta(doc('`failed` after three days of attempts.', 'delivered')),
    next_attempt_at: Instant.nullable().describe(
      'Time of the next attempt: ISO 8601, UTC. Null if no attempt is planned.',
    ),
    attempts: z.array(Attempt).describe('The last 20 attempts, oldest first.'),
  })
  .meta({ id: 'Delivery', description: 'An event for the endpoint of an app.' })

const about = { auth: 'accessToken', limit: 'resource', tag: 'Webhooks' } as const
const reading = metadata({ ...about, scopes: endpointScopes.readApp })
const writing = metadata({ ...about, scopes: endpointScopes.writeApp })

/** Webhook deliveries of an app (spec/decisions.md#delivery). */
export const deliveriesContract = c.router({
  validateEndpoint: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/validate_endpoint',
    summary: 'Validate the endpoint of an app',
    description:
      'Sends `endpoint.url_validation` to `deauthorization_url`. If the response is wrong or you validate too often, returns code 300 with the reason.',
    pathParams: AppPath,
    body: c.noBody(),
    responses: {
      200: z
        .object({
          status: z.literal('valid').describe('Always `valid`.'),
        })
        .meta({ id: 'EndpointValidation', description: 'The endpoint passed its validation.' }),
      ...platformErrorResponses(400, 404),
    },
    metadata: metadata({ ...writing, idempotent: true }),
  },
  list: {
    method: 'GET',
    path: '/v2/marketplace/apps/:appId/deliveries',
    summary: 'List the deliveries of an app',
    description: 'Newest first. Deliveries are stored for 30 days.',
    pathParams: AppPath,
    query: z.object(pageQuery),
    responses: {
      200: z.object({
        ...pageFields,
        deliveries: z.array(Delivery).describe('The deliveries of this page.'),
      }),
      ...platformErrorResponses(400, 404),
    },
    metadata: reading,
  },
  redeliver: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver',
    summary: 'Redeliver an event',
    description:
      'Sends the event immediately, even if it was delivered or has failed. Allowed once every 10 seconds. The id stays the same.',
    pathParams: AppPath.extend({
      deliveryId: z.string().min(1).meta(doc('Id of the delivery.', demo.delivery)),
    }),
    body: c.noBody(),
    responses: { 200: Delivery, ...platformErrorResponses(400, 404) },
    metadata: writing,
  },
})
