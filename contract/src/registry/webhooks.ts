import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { doc, Instant, named, string } from '../schemas.ts'
import { RegistryEventType, registryEventTypes } from './changes.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Id, listOf } from './fields.ts'
import { OrganizationPath } from './organizations.ts'

/** Maximum number of webhooks of an organization. */
export const webhooksPerOrganization = 10

const shape = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(bounds.webAddress)
    .meta({
      description: 'Address that receives the events. Must be https and public.',
      example: 'https://ci.example.com/skills',
    }),
  events: z
    .array(RegistryEventType)
    .min(1)
    .max(registryEventTypes.length)
    .meta(doc('Types of events that it receives.', ['skill.published', 'version.withdrawn'])),
}

const OrganizationWebhook = z
  .object({
    id: Id,
    ...shape,
    createdAt: Instant,
    lastDelivery: z
      .object({
        type: RegistryEventType,
        at: Instant.describe('Time of the event.'),
        status: z
          .enum(['pending', 'delivered', 'failed'])
          .meta(doc('`failed` after three days of attempts.', 'delivered')),
        error: z.string().nullable().meta({
          description: 'Reason why the last attempt failed. Null after a success.',
          example: 'The endpoint returned 500 instead of 200 or 204.',
        }),
      })
      .nullable()
      .describe('The newest event. Null if there is none within 30 days.'),
  })
  .meta(named('OrganizationWebhook', 'An address that receives events of an organization.'))

const NewWebhook = OrganizationWebhook.extend({
  secret: string(
    'Signs the events by the Standard Webhooks scheme. Shown only in this response.',
    'whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oD0123ABCD',
  ),
}).meta(named('NewWebhook', 'A webhook with its secret.'))

const common = { auth: 'apiKey', tag: 'Organizations' } as const
const codes = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const

/** Webhooks of an organization (spec/registry.md#webhooks-of-organizations). */
export const webhooksContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/organizations/:username/webhooks',
    summary: 'List the webhooks of an organization',
    description: 'Lists all webhooks, oldest first, without their secrets. Requires an owner.',
    pathParams: OrganizationPath,
    responses: { 200: listOf(OrganizationWebhook), ...errorResponses(...codes) },
    metadata: metadata({ ...common, limit: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api/v1/organizations/:username/webhooks',
    summary: 'Create a webhook of an organization',
    description: `Sends events of the organization's repositories to an address from now on, private ones too. The body of a request is \`{ type, timestamp, data }\`, and \`data\` is an event of \`GET /api/v1/changes\`. Answer with 200 or 204. Otherwise the event is sent again for three days, with the same \`webhook-id\`. Requires an owner. Returns CONFLICT beyond ${webhooksPerOrganization} webhooks.`,
    pathParams: OrganizationPath,
    body: z.strictObject(shape).meta(named('WebhookCreation', 'A webhook to create.')),
    responses: {
      201: z.object({ data: NewWebhook }),
      ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: metadata({ ...common, limit: 'write' }),
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/organizations/:username/webhooks/:id',
    summary: 'Delete a webhook of an organization',
    description: 'Deletes a webhook and its events that were not delivered. Requires an owner.',
    pathParams: OrganizationPath.extend({ id: Id }),
    responses: { 204: c.noBody(), ...errorResponses('VALIDATION_ERROR', ...codes) },
    metadata: metadata({ ...common, limit: 'write' }),
  },
})
