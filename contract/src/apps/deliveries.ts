import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { platformErrorResponses } from '../platform/errors.ts'
import { pageFields, pageQuery } from '../platform/page.ts'
import { Instant, int, string } from '../schemas.ts'
import { AppPath } from './apps.ts'

const c = initContract()

const Attempt = z
  .object({
    at: Instant.meta({ description: 'When it began: ISO 8601, UTC.' }),
    duration_ms: int('How long it took.', 120),
    status: z.int().nullable().meta({
      description: 'What the endpoint answered; null where no answer came.',
      example: 200,
    }),
    error: z.string().nullable().meta({
      description: 'What was wrong; null where nothing was.',
      example: 'The endpoint answered 500.',
    }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver an event.' })

/** An event for an app's endpoint, with its attempts. */
export const Delivery = z
  .object({
    id: string('The id, which stays over all attempts.', demo.delivery),
    event: string('What happened.', 'app_deauthorized'),
    created_at: Instant.meta({ description: 'When it happened: ISO 8601, UTC.' }),
    status: z.enum(['pending', 'delivered', 'failed']).meta({
      description: '`failed` after three days of attempts.',
      example: 'delivered',
    }),
    next_attempt_at: Instant.nullable().meta({
      description: 'When it is tried again; null where it is not. ISO 8601, UTC.',
    }),
    attempts: z
      .array(Attempt)
      .meta({ description: 'The last 20, in the order in which they were made.' }),
  })
  .meta({ id: 'Delivery', description: 'An event for the endpoint of an app.' })

const about = { auth: 'accessToken', limit: 'resource', tag: 'Webhooks' } as const
const reading = metadata({ ...about, scopes: endpointScopes.readApp })
const writing = metadata({ ...about, scopes: endpointScopes.writeApp })

/** Webhooks of an app as its developer sees them (OAuth spec §6; open-points D). */
export const deliveriesContract = c.router({
  validateEndpoint: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/validate_endpoint',
    summary: 'Validate the endpoint of an app',
    description:
      'Sends `endpoint.url_validation` to the deauthorization address. Where the answer is not right, or validations are asked for too often, code 300 says why.',
    pathParams: AppPath,
    body: c.noBody(),
    responses: {
      200: z
        .object({
          status: z.literal('valid').meta({ description: 'The endpoint has the secret token.' }),
        })
        .meta({ id: 'EndpointValidation', description: 'The endpoint answered as it should.' }),
      ...platformErrorResponses(400, 404),
    },
    metadata: metadata({ ...writing, idempotent: true }),
  },
  list: {
    method: 'GET',
    path: '/v2/marketplace/apps/:appId/deliveries',
    summary: 'List the deliveries of an app',
    description: 'The newest first; they are kept for 30 days.',
    pathParams: AppPath,
    query: z.object(pageQuery),
    responses: {
      200: z.object({
        ...pageFields,
        deliveries: z.array(Delivery).meta({ description: 'The deliveries of this page.' }),
      }),
      ...platformErrorResponses(400, 404),
    },
    metadata: reading,
  },
  redeliver: {
    method: 'POST',
    path: '/v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver',
    summary: 'Deliver an event once more',
    description:
      'At once, also where it was delivered or given up; once in 10 seconds at most. The id stays.',
    pathParams: AppPath.extend({
      deliveryId: z.string().min(1).meta({
        description: 'The id of the delivery.',
        example: demo.delivery,
      }),
    }),
    body: c.noBody(),
    responses: { 200: Delivery, ...platformErrorResponses(404) },
    metadata: writing,
  },
})
