import { z } from 'zod'

const Example = z.looseObject({ value: z.unknown() })

const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  example: z.unknown().optional(),
})

const Operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(Parameter).default([]),
  requestBody: z
    .looseObject({
      content: z.record(
        z.string(),
        z.looseObject({
          example: z.unknown().optional(),
          examples: z.record(z.string(), Example).optional(),
        }),
      ),
    })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
})

const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

type Parameter = z.output<typeof Parameter>

/** A request built from the examples of an operation. */
export interface ExampleRequest {
  /** The operation, and the name of the example if there are several. */
  readonly title: string
  readonly operationId: string
  readonly method: string
  /** The path with `{parameters}`. */
  readonly template: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly type: string | undefined
  readonly body: unknown
  /** Names of the security schemes that the operation accepts. */
  readonly schemes: readonly string[]
  /** Declared statuses below 400. */
  readonly successes: readonly number[]
}

/** Returns a request for every example of an OpenAPI document. */
export function requestsOf(document: unknown): ExampleRequest[] {
  return Object.entries(Document.parse(document).paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .flatMap(([method, operation]) => exampleRequests(path, method, Operation.parse(operation))),
  )
}

function exampleRequests(
  path: string,
  method: string,
  { operationId, security, parameters, requestBody, responses }: z.output<typeof Operation>,
): ExampleRequest[] {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {})
  const bodies = Object.entries(media?.examples ?? { body: { value: media?.example } })
  const request = {
    operationId,
    method: method.toUpperCase(),
    template: path,
    headers: Object.fromEntries(examplesOf(parameters, 'header')),
    schemes: security.flatMap(Object.keys),
    successes: Object.keys(responses)
      .map(Number)
      .filter((status) => status < 400),
  }
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const [, value = ''] = examplesOf(parameters, 'path').find(([other]) => other === name) ?? []
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(examplesOf(parameters, 'query')).toString()
  const pathWithQuery = query === '' ? at : `${at}?${query}`
  if (!type) return [{ ...request, title: operationId, path: pathWithQuery, type, body: undefined }]
  if (!type.includes('form')) {
    return bodies.map(([name, { value }]) => {
      const title = bodies.length > 1 ? `${operationId} ${name}` : operationId
      return { ...request, title, path: pathWithQuery, type, body: value }
    })
  }
  // Parameters are also accepted in the query (spec/oauth.md#token-endpoint).
  const [[, first] = []] = bodies
  const inQuery = new URLSearchParams(
    Object.entries(Object(first?.value)).map(([n, v]) => [n, `${v}`]),
  )
  return [
    {
      ...request,
      title: `${operationId} by query`,
      path: `${at}?${inQuery}`,
      type: undefined,
      body: undefined,
    },
    ...bodies.map(([name, { value }]) => ({
      ...request,
      title: `${operationId} by form: ${name}`,
      path: at,
      type,
      body: value,
    })),
  ]
}

/** Returns the name and example of each parameter that has one. */
const examplesOf = (parameters: readonly Parameter[], kind: Parameter['in']): [string, string][] =>
  parameters
    .filter((one) => one.in === kind && one.example !== undefined)
    .map(({ name, example }) => [name, String(example)])
