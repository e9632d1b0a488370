import { type OAuthErrorEntry, type OAuthErrorName, oauthErrors } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { breach, nameOf, routes } from '../support/contract.ts'
import {
  type Answer,
  apiUrl,
  authorizeQuery,
  authUrl,
  basic,
  read,
  startOAuthServer,
} from '../support/oauth-server.ts'
import { exchange as exchangeRaw, rawRequest } from '../support/raw-http.ts'
import { recordStatuses } from '../support/vitest/route-coverage.ts'
import { words } from '../support/words.ts'

const forms = ['/oauth/token', '/oauth/devicecode', '/oauth/revoke', '/oauth/introspect']
const metadataPath = '/.well-known/oauth-authorization-server'

const server = await startOAuthServer()
const scheduler = server.app('Scheduler')
const { clientId: client_id } = scheduler

test('the metadata has the fields of RFC 8414 and the configured addresses', async () => {
  const answer = await read(server.http(metadataPath))
  const { scopes_supported, ...rest } = answer.body
  const withSecret = ['client_secret_basic', 'client_secret_post']
  expect(scopes_supported).toContain('user:read:user')
  expect(rest).toEqual({
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
    device_authorization_endpoint: `${authUrl}/oauth/devicecode`,
    revocation_endpoint: `${authUrl}/oauth/revoke`,
    introspection_endpoint: `${authUrl}/oauth/introspect`,
    service_documentation: 'http://skillpass.test/docs',
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'account_credentials',
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'client_credentials',
    ],
    token_endpoint_auth_methods_supported: [...withSecret, 'none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: words(
      'ES256 ES384 EdDSA Ed25519 PS256 RS256',
    ),
    revocation_endpoint_auth_methods_supported: [...withSecret, 'none', 'private_key_jwt'],
    introspection_endpoint_auth_methods_supported: [...withSecret, 'private_key_jwt'],
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: false,
    client_id_metadata_document_supported: true,
  })
})

test.each(routes.filter(({ path }) => path.startsWith('/.well-known/oauth-')).map(nameOf))(
  '%s declares its response to a request without Host',
  async (name) => {
    const request = `${name} HTTP/1.1\r\nConnection: close\r\n\r\n`
    const { status, body } = (await exchangeRaw(server.url, [request])).first
    expect(status).toBe(400)
    const route = routes.find((one) => nameOf(one) === name)
    expect(breach(route, { status, type: 'application/json', text: body })).toBeUndefined()
    await recordStatuses([`${name} 400`])
  },
)

test('no address in a response comes from Host, X-Forwarded-* or Forwarded', async () => {
  const spoofed = {
    'X-Forwarded-Host': 'evil.test',
    'X-Forwarded-Proto': 'https',
    Forwarded: 'host=evil.test;proto=https',
  }
  for (const [method, target] of [
    ['GET', metadataPath],
    ['POST', `/oauth/devicecode?client_id=${client_id}`],
    ['GET', `/oauth/authorize?${authorizeQuery(scheduler)}`],
    ['GET', `/oauth/authorize?${authorizeQuery({ ...scheduler, clientId: 'x' })}`],
  ] as const) {
    for (const extra of [{ Host: 'evil.test' }, spoofed]) {
      const headers = { ...extra, Authorization: basic(scheduler) }
      const { first } = await exchangeRaw(server.url, [rawRequest({ method, target, headers })])
      expect(first.status).toBeGreaterThan(0)
      expect(first.body + (first.headers.get('location') ?? '')).not.toMatch(/evil/)
    }
  }
  const { access_token } = await server.grantOf(scheduler)
  const more = { token: access_token }
  const known = await server.post('/oauth/introspect', more, { app: scheduler, headers: spoofed })
  expect(known.body).toMatchObject({ iss: authUrl, aud: apiUrl })
})

test('pages for people are served only on the configured hosts and on loopback', async () => {
  const paths = ['/sign-in', '/my/apps', '/oauth_device', '/console']
  const targets = [...paths, `/oauth/authorize?${authorizeQuery(scheduler)}`]
  const answered = async (Host: string) =>
    Promise.all(
      targets.map(async (target) => {
        const request = rawRequest({ target, headers: { Host } })
        const { first } = await exchangeRaw(server.url, [request])
        return first
      }),
    )
  for (const host of ['evil.test', 'auth.test.evil.test', 'auth.test.', '127.0.0.1.evil.test']) {
    for (const answer of await answered(host)) {
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, undefined])
      expect(answer.body).toContain(`This page is available only at ${authUrl}.`)
    }
  }
  for (const host of ['auth.test', 'AUTH.test:8080', 'api.test', new URL(server.url).host]) {
    const statuses = (await answered(host)).map(({ status }) => status)
    expect(statuses).toEqual([200, 303, 303, 303, 302])
  }
})

test.each(forms)('%s accepts only POST and names it in Allow', async (path) => {
  for (const method of ['GET', 'HEAD', 'PUT']) {
    const answer = await read(server.http(`${path}?grant_type=client_credentials`, { method }))
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('OPTIONS, POST')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    if (method !== 'HEAD')
      expect(answer.body).toMatchObject({ error: 'invalid_request', code: 405 })
  }
  const options = await server.http(path, { method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'OPTIONS, POST'])
})

const registered = 'http://127.0.0.1:8090'
const from = (Origin: string, path: string, init: RequestInit = {}) =>
  server.http(path, { ...init, headers: { Origin, ...init.headers } })
const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin')
const preflight = {
  method: 'OPTIONS',
  headers: {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization',
  },
}

test.each(forms)('%s can be called only from registered origins without cookies', async (path) => {
  const good = await from(registered, path, preflight)
  expect([good.status, allowed(good)]).toEqual([204, registered])
  expect(good.headers.get('access-control-allow-headers')).toMatch(/Authorization/)
  expect(good.headers.get('access-control-allow-credentials')).toBeNull()
  expect(good.headers.get('vary')).toMatch(/Origin/)
  const foreign = ['http://evil.test', 'http://127.0.0.1:8090.evil.test', 'null']
  for (const origin of foreign) {
    expect(allowed(await from(origin, path, preflight))).toBeNull()
    expect(allowed(await from(origin, path, { method: 'POST' }))).toBeNull()
  }
  const refused = await from(registered, path, { method: 'POST' })
  expect([refused.status, allowed(refused)]).toEqual([401, registered])
  const wrong = await from(registered, path, { method: 'GET' })
  expect([wrong.status, allowed(wrong)]).toEqual([405, registered])
})

test('a response can be read only by an origin that the app has registered', async () => {
  const init = { method: 'POST', headers: { Authorization: basic(scheduler) } }
  const path = `/oauth/devicecode?client_id=${client_id}`
  expect(allowed(await from(registered, path, init))).toBe(registered)
  // An app without redirect addresses.
  const bot = { method: 'POST', headers: { Authorization: basic(server.app('Helper bot')) } }
  const answer = await from(registered, '/oauth/token?grant_type=client_credentials', bot)
  expect([answer.status, allowed(answer)]).toEqual([200, null])
})

test('every origin can read the metadata, and none can read the pages', async () => {
  const pages = [
    `/oauth/authorize?${authorizeQuery(scheduler)}`,
    '/oauth/consent',
    '/oauth_device',
    '/oauth/device/complete/BCDF-GHJK',
    '/sign-in',
    '/my/apps',
  ]
  for (const path of pages) {
    expect(allowed(await from(registered, path))).toBeNull()
    expect(allowed(await from(registered, path, preflight))).toBeNull()
  }
  for (const init of [{}, { headers: { Origin: 'http://evil.test' } }]) {
    // Metadata is cached publicly, so its headers must not depend on the origin.
    const answer = await server.http(metadataPath, init)
    expect([allowed(answer), answer.headers.get('vary')]).toEqual(['*', 'Accept-Encoding'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  }
})

test('every error_description is a sentence in the characters that RFC 6749 §5.2 allows', () => {
  for (const { description } of Object.values(oauthErrors)) {
    expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{20,300}$/)
  }
})

const bot = server.app('Helper bot')
const wrong = { ...server.app('Strict'), clientSecret: 'x' }
const answers: [OAuthErrorName, () => Promise<Answer>][] = [
  ['invalid_client', () => server.token({ ...bot, clientSecret: 'x' }, {})],
  ['credentials_missing', () => server.token(undefined, { grant_type: 'client_credentials' })],
  ['unsupported_grant_type', () => server.token(bot, { grant_type: 'password' })],
  ['invalid_scope', () => server.token(bot, { grant_type: 'client_credentials', scope: 'x' })],
  ['owner_missing', () => server.refresh(server.app('Scheduler'), 'x')],
  ['app_disabled', () => server.refresh(server.app('Off'), 'x')],
  ['method_not_allowed', () => read(server.http('/oauth/token'))],
  [
    'too_many_requests',
    async () => {
      for (let i = 0; i < 10; i++) await server.token(wrong, {})
      return server.token(wrong, {})
    },
  ],
]
test.each(answers)('the error %s has its body and its headers', async (name, ask) => {
  const { status, headers, body } = await ask()
  const { description, status: declared, ...entry }: OAuthErrorEntry = oauthErrors[name]
  const { error_description, ...rest } = body
  expect([status, rest]).toEqual([declared, entry])
  expect(error_description).not.toBe('')
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('pragma')).toBe('no-cache')
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  const isChallenged = status === 401 && name !== 'credentials_missing'
  expect(headers.get('www-authenticate')).toBe(isChallenged ? 'Basic realm="skillpass"' : null)
  expect(headers.get('retry-after')).toBe(status === 429 ? '60' : null)
})
