import { expect, test } from 'vitest'
import { z } from 'zod'
import { engine } from '../support/databases.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { documentDifference } from '../support/document.ts'
import { approveDevice, authorizeCode, signIn } from '../support/people.ts'
import { type ExampleRequest, requestsOf } from './requests.ts'

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
const session = await signIn(server, { email: 'user@acme.test', password: server.password })

/** Obtains a code with the parameters of the authorization example. */
const newCode = async () => {
  const { searchParams } = new URL(authorize?.path ?? '', server.url)
  const { code } = await authorizeCode(session, Object.fromEntries(searchParams))
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
    await approveDevice(session, codes.user_code)
    return codes.device_code
  },
}

/** Requests that fail with default settings: no version is in quarantine. */
const expectedFailures: Record<string, string> = {
  'registry.quarantine.answer': '^409 .*"CONFLICT"',
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
