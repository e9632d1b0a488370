import { EndpointValidationAnswer, WebhookEvent, webhookHeaders } from '@skillpass/contract'
import { buildOpenApi } from '@skillpass/openapi'
import { expect, test } from 'vitest'

const document = Object(buildOpenApi())

test.each(WebhookEvent.options.map((schema) => [schema.shape.event.value, schema] as const))(
  'the document describes the headers, the body and the expected responses of webhook %s',
  (name, schema) => {
    const { parameters, requestBody, responses, tags } = document['x-webhooks'][name].post
    const names = parameters.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1))
    expect(names.sort()).toEqual(Object.values(webhookHeaders).sort())
    for (const header of names) {
      expect(document.components.parameters[header]).toMatchObject({ name: header, in: 'header' })
    }
    const { example, schema: reference } = requestBody.content['application/json']
    expect(schema.parse(example)).toEqual(example)
    const { id } = schema.meta() ?? {}
    expect(reference).toEqual({ $ref: `#/components/schemas/${id}` })
    expect(document.components.schemas[String(id)].properties.event.enum).toEqual([name])
    expect(Object.keys(responses)).toContain('200')
    expect(document.tags).toContainEqual(expect.objectContaining({ name: tags[0] }))
  },
)

test('the document has an example of the response to endpoint validation', () => {
  const { responses } = document['x-webhooks']['endpoint.url_validation'].post
  const { example } = responses['200'].content['application/json']
  expect(EndpointValidationAnswer.parse(example)).toEqual(example)
})

test('the document states how each signature is computed', () => {
  const { description } = document.info
  expect(description).toContain('`v0:{x-zm-request-timestamp}:{body}`')
  expect(description).toContain('`{webhook-id}.{webhook-timestamp}.{body}`')
  expect(description).toContain('`{client_id}:{user_id}:{account_id}:{deauthorization_time}`')
})
