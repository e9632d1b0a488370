import { EndpointValidationAnswer, WebhookEvent, webhookHeaders } from '@skillpass/contract'
import { exampleOf } from './examples.ts'
import { type Components, schemaOf } from './schemas.ts'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const parameters = [
  header(
    webhookHeaders.timestamp,
    'Time of the attempt in whole seconds since 1970.',
    '1795253400',
  ),
  header(
    webhookHeaders.signature,
    '`v0=` and the hex HMAC-SHA256 of `v0:{timestamp}:{body}` under the secret token.',
    'v0=6f1c0d6f3a4b8e2d5c7a9b0e1f2d3c4b5a69788796a5b4c3d2e1f00112233445',
  ),
  header(
    webhookHeaders.standardId,
    'Id of the event, the same in every attempt. Ignore ids that you have processed.',
    '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e',
  ),
  header(
    webhookHeaders.standardTimestamp,
    'The same time as `x-zm-request-timestamp`.',
    '1795253400',
  ),
  header(
    webhookHeaders.standardSignature,
    '`v1,` and the base64 HMAC-SHA256 of `{id}.{timestamp}.{body}` under the secret token. For 24 hours after a rotation, a second signature with the previous token follows after a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/** Headers of a delivery, for `components.parameters`. */
export const webhookParameters = Object.fromEntries(
  parameters.map((parameter) => [parameter.name, parameter]),
)

/**
 * Returns the events that apps receive (spec/decisions.md#webhooks) as `x-webhooks`, because OpenAPI
 * 3.0 has no webhooks.
 */
export const webhooksOf = (schemas: Components) =>
  Object.fromEntries(
    WebhookEvent.options.map((schema) => {
      const name = schema.shape.event.value
      return [name, { post: deliveryOf(name, schema, schemas) }]
    }),
  )

function deliveryOf(name: string, event: Event, schemas: Components) {
  const answers =
    name === 'endpoint.url_validation'
      ? { 200: contentOf('The endpoint has the secret token.', EndpointValidationAnswer, schemas) }
      : { 200: { description: 'Received.' }, 204: { description: 'Received.' } }
  return {
    operationId: `webhooks.${name}`,
    tags: ['Webhooks'],
    summary: event.description ?? name,
    description:
      'Sent to the endpoint of the app, which must respond within 3 seconds. [Webhooks](/docs/guide#webhooks) explains how to verify it.',
    security: [],
    parameters: parameters.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, ...contentOf(`An event, \`${name}\`.`, event, schemas) },
    responses: answers,
  }
}

type Event = (typeof WebhookEvent.options)[number]

function contentOf(
  description: string,
  schema: Event | typeof EndpointValidationAnswer,
  schemas: Components,
) {
  const reference = schemaOf(schema, 'output', schemas, description)
  const example = exampleOf(schemas, reference, description)
  return { description, content: { 'application/json': { schema: reference, example } } }
}
