import { beforeAll, expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import {
  type Answer,
  member,
  oauthServerForTest,
  read,
  startOAuthServer,
  type Tokens,
} from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { exchange as exchangeRaw } from '../support/raw-http.ts'
import { words } from '../support/words.ts'

const realm = 'Bearer realm="skillpass"'
const invalidToken = `${realm}, error="invalid_token"`

const server = await startOAuthServer()
const scheduler = server.app('Scheduler')
const foreign = await startOAuthServer()
const session = await signIn(server, { email: member, password })
const call = (headers: Record<string, string>, path = '/v2/users/me', init: RequestInit = {}) =>
  read(server.http(path, { ...init, headers }))
const bearer = (text: string, path?: string) => call({ Authorization: `Bearer ${text}` }, path)
let tokens: Tokens
const issue = async () => {
  tokens = await server.grantOf(scheduler)
}
beforeAll(issue)

const expectRefusal = (answer: Answer, status: number, body: object, challenge: string | null) => {
  expect([answer.status, answer.body]).toEqual([status, body])
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('www-authenticate')).toBe(challenge)
  expect(answer.headers.get('cache-control')).toBe('no-store')
}
const empty = { code: 4700, message: 'Token cannot be empty' }
const unknown = {
  ...empty,
  detail: 'This is not an access token of this service. Request a new one.',
}
const inQuery = {
  code: 124,
  message: 'Access token must not be in the query. Send it in the header Authorization: Bearer.',
}

const without: Record<string, (text: string) => Record<string, string>> = {
  'no header': () => ({}),
  'Bearer without a token': () => ({ Authorization: 'Bearer' }),
  'another scheme': (text) => ({ Authorization: `Token ${text}` }),
  'Basic with the token as password': (text) => ({ Authorization: `Basic ${btoa(`x:${text}`)}` }),
  'the token in other headers': (text) => ({
    'X-Access-Token': text,
    'Proxy-Authorization': `Bearer ${text}`,
  }),
  'the session of a user': () => ({ Cookie: session.cookie() }),
}
test.each(Object.entries(without))('a request with %s is refused with 4700', async (_, headers) => {
  expectRefusal(await call(headers(tokens.access_token)), 401, empty, realm)
})

const wrong: Record<string, () => string | Promise<string>> = {
  garbage: () => 'garbage',
  'a token in lower case': () => tokens.access_token.toLowerCase(),
  'two tokens': () => `${tokens.access_token} ${tokens.access_token}`,
  'a refresh token': () => tokens.refresh_token,
  'an API key': async () => (await server.agent()).apiKey,
  'a token of another server': () => foreign.tokenOf('Scheduler', member),
  'bytes beyond ASCII': () => 'ÿþ',
}
test.each(Object.entries(wrong))('a Bearer header with %s is an unknown token', async (_, make) => {
  expectRefusal(await bearer(await make()), 401, unknown, invalidToken)
})

test('a token in the query is refused with 124, even beside a valid header', async () => {
  const path = `/v2/users/me?access_token=${tokens.access_token}`
  expectRefusal(await call({}, path), 401, inQuery, invalidToken)
  expectRefusal(await bearer(tokens.access_token, path), 401, inQuery, invalidToken)
})

test('two Authorization headers are refused with 4700, even if one is valid', async () => {
  const good = `Authorization: Bearer ${tokens.access_token}\r\n`
  for (const headers of [good + good, `${good}Authorization: Bearer x\r\n`]) {
    const head = 'GET /v2/users/me HTTP/1.1\r\nHost: x\r\n'
    const { first } = await exchangeRaw(server.url, [`${head}${headers}\r\n`])
    expect(first.status).toBe(401)
    expect(JSON.parse(first.body)).toEqual(unknown)
  }
})

test('the Bearer scheme ignores case and spaces around the token', async () => {
  for (const header of ['bearer ', 'BEARER ', 'Bearer   ']) {
    const answer = await call({ Authorization: `${header}${tokens.access_token}  ` })
    expect(answer.status).toBe(200)
  }
})

const expired = { code: 124, message: 'Access token is expired.' }
/** Errors of ended access tokens, and how each token ends. */
const ended: Record<string, [error: object, end: (token: string) => unknown]> = {
  'an expired token': [expired, () => server.clock.advance(3_600_000)],
  'an expired token whose row was deleted': [
    expired,
    async () => {
      server.clock.advance(48 * 3_600_000)
      await server.runJob('removing expired records')
      const rows = server.ctx.db.read.selectFrom('access_tokens').select('key')
      expect(await rows.execute()).toEqual([])
    },
  ],
  'a revoked token': [
    { code: 4741, message: 'Token has been revoked' },
    (token) => server.post('/oauth/revoke', { token }, { app: scheduler }),
  ],
}
// Removed users and disabled apps are tested in `ends.test.ts`.
test.each(Object.entries(ended))('%s is refused', async (_, [error, end]) => {
  const { access_token } = await server.grantOf(scheduler)
  await end(access_token)
  expectRefusal(await server.me(access_token), 401, error, invalidToken)
  // The other tokens may have expired by now.
  await issue()
})

test('4711 is insufficient_scope and names the required scopes and those of the token', async () => {
  const answer = await server.me(await server.botTokenOf('Helper bot'))
  const opening = words(`
      user:read:user user:read:user:admin user:read:user:master user:read user:read:admin
      user:write user:write:admin user_info:read user_profile user:master
    `).join(', ')
  const message = `Invalid access token, does not contain scopes:[${opening}]. It has scopes:[imchat:bot].`
  const challenge = `${realm}, error="insufficient_scope", scope="user:read:user"`
  expectRefusal(answer, 403, { code: 4711, error: 'insufficient_scope', message }, challenge)
})

test('requests beyond the limit of an app and user are refused with 429', async () => {
  const limited = await oauthServerForTest({ env: { RATE_LIMIT_RESOURCE_PER_MINUTE: '2' } })
  const issueOwn = () => limited.ownTokenOf('Reporter', 'Acme')
  const [first, second] = [await issueOwn(), await issueOwn()]
  for (const [token, status] of [
    [first, 200],
    [second, 200],
    [second, 429],
  ] as const) {
    expect((await limited.me(token)).status).toBe(status)
  }
  const answer = await limited.me(first)
  expect(answer.body.code).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('60')
  const ofUser = await limited.tokenOf('Scheduler', 'member@acme.test')
  expect((await limited.me(ofUser)).status).toBe(200)
})
