import { expect, test } from 'vitest'
import { z } from 'zod'
import { engine } from '../support/databases.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { documentDifference } from '../support/document.ts'

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
interface ExampleRequest {
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
function requestsOf(document: unknown): ExampleRequest[] {
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

const TokenFields = z.looseObject({
  access_token: z.string().default(''),
  refresh_token: z.string().default(''),
  device_code: z.string().default(''),
  user_code: z.string().default(''),
})

const server = await startDemoServer(engine)
const requests = requestsOf(await (await server.http('/openapi.json')).json())

const authorize = requests.find(({ operationId }) => operationId === 'oauth.authorize')
const tokenForms = requests.filter(({ title }) => title.startsWith('oauth.token by form'))
const fieldsOf = ({ body }: ExampleRequest) => new Map(Object.entries(Object(body)))
const scheduler = server.basic('SCHEDULER')

const post = async (path: string, app: string, form: Record<string, string>) => {
  const headers = { authorization: server.basic(app) }
  const response = await server.http(path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  })
  return TokenFields.parse(await response.json())
}

const accountToken = await post('/oauth/token', 'REPORTER', {
  grant_type: 'account_credentials',
  account_id: server.variable('ACCOUNT_ID'),
})
const botToken = await post('/oauth/token', 'HELPER_BOT', { grant_type: 'client_credentials' })
const person = 'user@acme.test'

/** Obtains a code with the parameters of the authorization example. */
const newCode = async () => {
  const { code = '' } = await server.visit(authorize?.path ?? '', person)
  return code
}

/** Creates single-use secrets, which an example cannot contain. */
const singleUse: Record<string, () => Promise<string>> = {
  code: newCode,
  async refresh_token() {
    const [form] = tokenForms.filter(({ body }) => 'code' in Object(body))
    const example = Object.fromEntries(fieldsOf(form ?? Object()))
    const tokens = await post('/oauth/token', 'SCHEDULER', { ...example, code: await newCode() })
    return tokens.refresh_token
  },
  async device_code() {
    const codes = await post('/oauth/devicecode', 'SCHEDULER', {})
    await server.approveDevice(codes.user_code, person)
    return codes.device_code
  },
}

/**
 * Requests that fail with the demo data: no version is in quarantine, an organization keeps an
 * owner, a webhook has a random id, nobody has invited the agent, no issuer or mirror is here, no
 * browser shows a code, and no version waits.
 */
const expectedFailures: Record<string, string> = {
  'registry.agents.signInBrowser': '^404 .*"NOT_FOUND"',
  'registry.organizations.changeMember': '^409 .*"CONFLICT"',
  'registry.organizations.removeMember': '^409 .*"CONFLICT"',
  'registry.organizations.revokeApiKey': '^404 .*"NOT_FOUND"',
  'registry.invitations.accept': '^404 .*"NOT_FOUND"',
  'registry.invitations.acceptCode': '^404 .*"NOT_FOUND"',
  'registry.invitations.delete': '^404 .*"NOT_FOUND"',
  'registry.transfers.accept': '^404 .*"NOT_FOUND"',
  'registry.transfers.delete': '^404 .*"NOT_FOUND"',
  'registry.webhooks.delete': '^404 .*"NOT_FOUND"',
  'registry.mirrors.run': '^404 .*"NOT_FOUND"',
  'registry.versions.approve': '^409 .*"CONFLICT"',
  'registry.versions.decline': '^409 .*"CONFLICT"',
  'registry.quarantine.answer': '^409 .*"CONFLICT"',
  'registry.trustedPublishers.exchange': '^401 .*"UNAUTHORIZED"',
}

const appOf: Record<string, string> = {
  account_credentials: 'REPORTER',
  client_credentials: 'HELPER_BOT',
}

const authorizationOf = ({ operationId, schemes, body, path }: ExampleRequest) => {
  if (schemes.includes('apiKey')) return `Bearer ${server.variable('SKILLPASS_API_KEY')}`
  if (schemes.includes('accessToken')) {
    const { access_token } = operationId === 'platform.chat.send' ? botToken : accountToken
    return `Bearer ${access_token}`
  }
  if (!schemes.includes('clientBasic')) return undefined
  const { grant_type } = {
    ...Object.fromEntries(new URL(path, server.url).searchParams),
    ...Object(body),
  }
  const app = appOf[String(grant_type)]
  return app === undefined ? scheduler : server.basic(app)
}

const send = async (request: ExampleRequest) => {
  const { method, path, type, body } = request
  const headers = new Headers(request.headers)
  const authorization = authorizationOf(request)
  if (authorization !== undefined) headers.set('authorization', authorization)
  if (type !== undefined) headers.set('content-type', type)
  if (!type?.includes('form')) {
    const text = type?.includes('json') ? JSON.stringify(body) : String(body ?? '')
    return server.http(path, { method, headers, body: body === undefined ? null : text })
  }
  const form = new URLSearchParams()
  for (const [name, value] of fieldsOf(request)) {
    form.set(name, (await singleUse[name]?.()) ?? String(value))
  }
  return server.http(path, { method, headers, body: form })
}

/** Sorts deletions last, and a nested resource before its parent. */
const deletionOrder = ({ method, path }: ExampleRequest) =>
  method === 'DELETE' ? 100 - path.split('/').length : 0
const inOrder = requests.toSorted((a, b) => deletionOrder(a) - deletionOrder(b))

test.each(inOrder.map((request) => [request.title, request] as const))(
  'the example of %s succeeds, and its response matches the OpenAPI document',
  async (_, request) => {
    const response = await send(request)
    const { status } = response
    const text = await response.text()
    const { operationId, method, template, successes } = request
    const { [operationId]: expected = `^(${successes.join('|')}) $` } = expectedFailures
    expect(`${status} ${status < 400 ? '' : text}`).toMatch(new RegExp(expected))
    if (!response.headers.get('content-type')?.startsWith('application/json')) return
    const route = { method, path: template }
    expect(documentDifference(route, status, JSON.parse(text))).toBeUndefined()
  },
)

test('every operation and every grant type of the token endpoint has an example', () => {
  expect(new Set(requests.map(({ operationId }) => operationId)).size).toBeGreaterThan(55)
  expect(tokenForms).toHaveLength(5)
})
