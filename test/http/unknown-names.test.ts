import { findUnknown, metadataOf, scopeCatalogue } from '@skillpass/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { serverApp } from '../support/apps.ts'
import { fieldPaths, inputSchema, misspelled } from '../support/arbitraries.ts'
import { breach, fillPath, named, type Route, routes } from '../support/contract.ts'
import { basic, read, startOAuthServer, tokensOf } from '../support/oauth-server.ts'
import { ask, nobody } from '../support/skills.ts'
import { words } from '../support/words.ts'

const adminScopes = scopeCatalogue.flatMap(({ scope, level }) => (level === 'admin' ? [scope] : []))
const env = { DYNAMIC_CLIENT_REGISTRATION: 'on' }
const server = await startOAuthServer({ env }, { apps: [serverApp('Everything', adminScopes)] })
const agent = await server.agent()
const account = await server.ownTokenOf('Everything', 'Acme')
const bot = await server.botTokenOf('Helper bot')

const writes = routes.filter(
  (route) => route.method !== 'GET' && metadataOf(route).tag !== undefined,
)

const credentialFor = (route: Route) => {
  const { auth } = metadataOf(route)
  if (auth === 'client') return basic(server.app('Scheduler'))
  if (auth === 'apiKey') return `Bearer ${agent.apiKey}`
  return `Bearer ${route.path.includes('/im/') ? bot : account}`
}

const hasBody = (route: Route) => 'body' in route && route.body instanceof z.ZodType
const ids = { userId: 'me', meetingId: '1', appId: nobody, deliveryId: nobody, id: nobody }

/** Sends an otherwise empty request. */
function send(route: Route, query: object, body: unknown = {}) {
  const path = fillPath(route, { ...ids, sha256: 'a'.repeat(64) })
  const headers = { authorization: credentialFor(route) }
  const target = `${path}?${new URLSearchParams(Object.entries(query))}`
  return read(ask(server, route.method, target, { headers, body }))
}

const pathsOf = (part: unknown) => (part instanceof z.ZodType ? fieldPaths(inputSchema(part)) : [])

/** Wraps a value into the objects and lists of a path. */
const wrapped = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value)

/** Expects a response of the contract that names the unknown name, and what could be meant. */
async function expectRefused(
  route: Route,
  sent: ReturnType<typeof send>,
  name: string,
  hint: string | RegExp,
) {
  const { status, text, headers } = await sent
  const type = headers.get('content-type') ?? ''
  expect(`${status} ${breach(route, { status, type, text })}`, text).toBe('400 undefined')
  expect(text).toContain(`${name} is not a known`)
  expect(text).toMatch(hint)
}

/** The paths of a route's parameters, and of the fields of its body. */
function namesOf(route: Route) {
  const fields = pathsOf('body' in route ? route.body : undefined)
  return metadataOf(route).form
    ? { query: fields, body: [] }
    : { query: pathsOf(route.query), body: fields }
}

const withNames = writes.filter((route) => Object.values(namesOf(route)).flat().length > 0)

describe.each(named(withNames))('%s', (_, route) => {
  const { form } = metadataOf(route)
  const { query, body } = namesOf(route)

  test('refuses a misspelled parameter or field with its known name', async () => {
    const known = [...query, ...body].map((path) => path.at(-1))
    for (const path of [...query, ...body]) {
      const name = path.at(-1) ?? ''
      for (const wrong of misspelled(name).filter((one) => !known.includes(one))) {
        // Descriptions of OAuth errors are ASCII, and array notation has its own error.
        if (route.path.startsWith('/oauth/') && /[я[]/.test(wrong)) continue
        const at = [...path.slice(0, -1), wrong]
        const sent = query.includes(path)
          ? send(route, wrapped(at, 'x') as object)
          : send(route, {}, wrapped(at, 'x'))
        await expectRefused(route, sent, at.join('.'), `did you mean ${name}?`)
      }
    }
  })

  test('refuses a parameter in the body and a field in the query', async () => {
    for (const [name = ''] of form ? [] : query) {
      const sent = send(route, {}, { [name]: 'x' })
      await expectRefused(route, sent, name, `did you mean ${name} in the query?`)
    }
    // Registration has its own errors (RFC 7591).
    for (const [name = ''] of route.path === '/oauth/register' ? [] : body) {
      const sent = send(route, { [name]: 'x' })
      await expectRefused(route, sent, name, `did you mean ${name} in the body?`)
    }
  })
})

const bodiless = writes.filter((route) => !hasBody(route))
// Those of the registry, and those without a body.
const strict = writes.filter((route) => route.path.startsWith('/api/') || !hasBody(route))
test.each(named(strict))('%s refuses every unknown parameter and field', async (_, route) => {
  const sent = [send(route, { zebra: '1' })]
  if (metadataOf(route).bytes === undefined) sent.push(send(route, {}, { zebra: 1 }))
  for (const answer of sent)
    await expectRefused(route, answer, 'zebra', /there are none|known are \w+/)
})

test.each(named(bodiless))(
  '%s refuses a body that is not a JSON object, because it may name what the caller means',
  async (_, route) => {
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'occurrence_id=1'],
      ['text/plain', '{"occurrence_id":1}'],
      ['application/merge-patch+json', '{"occurrence_id":1}'],
      ['application/json', '["occurrence_id"]'],
      ['application/json', '{"occurrence_id":'],
      ['application/json', 'null'],
      ['', new TextEncoder().encode('occurrence_id=1')],
    ] as const) {
      const headers = { authorization: credentialFor(route), ...(type && { 'Content-Type': type }) }
      const at = fillPath(route, { ...ids, userId: nobody })
      const { status } = await server.http(at, { method: route.method, headers, body })
      expect([type, body, status]).toEqual([type, body, 400])
    }
    const headers = { authorization: credentialFor(route) }
    const at = fillPath(route, { ...ids, userId: nobody })
    // An empty body is none, also in a request that announces one.
    const empty = new ReadableStream({ start: (controller) => controller.close() })
    for (const body of ['', empty]) {
      const sent = { method: route.method, headers, body, duplex: 'half' } as const
      expect((await server.http(at, sent)).status).not.toBe(400)
    }
  },
)

test.each([
  ['occurrence', 'occurrence_id'],
  ['occurrences', 'occurrence_id'],
  ['amp;occurrence_id', 'occurrence_id'],
  ['id', 'occurrence_id'],
])('DELETE of a meeting refuses %s, which may mean %s', async (name, meant) => {
  const route = bodiless.find(({ path }) => path === '/v2/meetings/:meetingId')
  if (!route) throw new Error('no route deletes a meeting')
  await expectRefused(route, send(route, { [name]: '1' }), name, meant)
  for (const vendors of ['schedule_for_reminder', 'cancel_meeting_reminder']) {
    expect((await send(route, { [vendors]: 'false' })).status).toBe(404)
  }
})

test('OAuth requests with registered parameters that the service lacks are not refused', async () => {
  const registered = words(`
    access_token acr_values actor_token actor_token_type assertion audience auth_req_id
    authorization_details binding_message claims claims_locales client_notification_token code_challenge
    code_challenge_method display dpop_jkt error expires_in id_token_hint iss issued_token_type
    login_hint login_hint_token max_age nonce password prompt registration request request_uri
    requested_expiry requested_token_type response_mode response_type state subject_token
    subject_token_type token_type ui_locales user_code username vtr`)
  const app = server.app('Reporter')
  const account_id = server.accountId('Acme')
  const parameters = { ...Object.fromEntries(registered.map((name) => [name, 'x'])), account_id }
  tokensOf(await server.token(app, { ...parameters, grant_type: 'account_credentials' }))
  const metadata = words(`client_uri logo_uri contacts tos_uri policy_uri jwks_uri jwks software_id
    software_version software_statement grant_types response_types application_type sector_identifier_uri
    subject_type default_max_age require_auth_time initiate_login_uri request_uris client_name#de`)
  const body = {
    ...Object.fromEntries(metadata.map((name) => [name, 'x'])),
    redirect_uris: ['http://127.0.0.1/'],
  }
  expect((await ask(server, 'POST', '/oauth/register', { body })).status).toBe(201)
})

test('only the first 1000 unknown names are looked at, and those of up to 100 characters compared', () => {
  const schema = z.object({ topic: z.string() })
  let looks = 0
  const ownKeys = (item: object) => {
    looks++
    return Reflect.ownKeys(item)
  }
  const items = Array.from({ length: 5000 }, () => new Proxy({ zebra: 1 }, { ownKeys }))
  expect(findUnknown([schema], items, { refused: 'all' })).toHaveLength(1000)
  expect(looks).toBeLessThan(2000)
  const find = (marks: number) =>
    findUnknown([schema], { [`topic${'_'.repeat(marks)}`]: 1 }, { refused: 'slips' })
  expect([find(95).length, find(96).length]).toEqual([1, 0])
})
