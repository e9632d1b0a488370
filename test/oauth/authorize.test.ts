import { expect, test } from 'vitest'
import { callback, credentialsOf, declare, generalApp, makeApp, password } from '../support/apps.ts'
import {
  type App,
  authorizeQuery,
  oauthServerForTest,
  pkce,
  read,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { countFigure } from '../support/rounds.ts'
import { words } from '../support/words.ts'

const refused = countFigure('variants of requests that may not be trusted: none redirected')
const wrongPkce = countFigure('variants of PKCE: refused, with no code')

const server = await startOAuthServer()
const scheduler = server.app('Scheduler')
const strict = server.app('Strict')
const queryOf = (more: Record<string, string> = {}) => authorizeQuery(scheduler, more)
const open = (query: string) => read(server.http(`/oauth/authorize?${query}`))
/** Parameters of the redirect to the app. */
const sentBack = async (query: string): Promise<URLSearchParams> => {
  const { status, headers, text } = await open(query)
  expect(`${status} ${text}`).toBe('302 ')
  const location = headers.get('location') ?? ''
  expect(location.startsWith(`${callback}?`)).toBe(true)
  return new URL(location).searchParams
}
const errorOf = async (query: string) => (await sentBack(query)).get('error')
const expectPage = async (query: string) => {
  const answer = await open(query)
  expect(answer.status).toBe(400)
  expect(answer.headers.get('location')).toBeNull()
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  const signedIn = await sessions.member.get(`/oauth/authorize?${query}`)
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([400, null])
  return answer.text
}
const sessionOf = (name: string) => signIn(server, { email: `${name}@acme.test`, password })
const sessions = {
  member: await sessionOf('member'),
  admin: await sessionOf('admin'),
  owner: await sessionOf('owner'),
}
type Who = keyof typeof sessions
const ask = (app: App, more: Record<string, string> = {}, who: Who = 'member') =>
  server.visit(`?${authorizeQuery(app, more)}`, `${who}@acme.test`)
const issue = async (app: App, more: Record<string, string> = {}, who?: Who) => {
  const { code = '' } = await ask(app, more, who)
  return tokensOf(await server.exchange(app, code))
}

const strayed: Record<string, string> = {
  'a trailing slash': `${callback}/`,
  'a parent segment': callback.replace('/callback', '/x/../callback'),
  'an encoded letter': callback.replace('/callback', '/%63allback'),
  'a user name': callback.replace('127', 'user@127'),
  'a backslash': callback.replace('/callback', '\\callback'),
  'a longer host': callback.replace('127.0.0.1', '127.0.0.1.evil.test'),
  'a line break': `${callback}\r\nX: y`,
  'a trailing NUL': `${callback}\0`,
  'a javascript scheme': 'javascript:alert(1)//',
  'an empty value': '',
}
test.each(Object.entries(strayed))('no redirect goes to a redirect_uri with %s', async (_, uri) => {
  const page = await expectPage(queryOf({ redirect_uri: uri }))
  if (!uri.includes('\0')) expect(page).toMatch(/4709/)
  expect(page).not.toContain('<script>alert')
  refused()
})

const untrusted: Record<string, string> = {
  'no client_id': authorizeQuery({ ...scheduler, clientId: '' }),
  'markup as client_id': authorizeQuery({ ...scheduler, clientId: '"><script>alert(1)</script>' }),
  'a client_id twice': `${queryOf()}&client_id=${scheduler.clientId}`,
  'a state twice': `${queryOf({ state: 'a' })}&state=b`,
  'a query of 17 KB': queryOf({ scope: 'x'.repeat(17_000) }),
  '101 parameters': `${queryOf()}&${Array.from({ length: 101 }, (_, i) => `p${i}=`).join('&')}`,
  'the client secret': queryOf({ client_secret: scheduler.clientSecret }),
  'a NUL': queryOf({ scope: 'a\0b' }),
  'a server-to-server app': authorizeQuery(server.app('Reporter')),
  'bytes that are not UTF-8': 'client_id=%ff%fe&redirect_uri=%c0%80',
}
test.each(Object.entries(untrusted))('a request with %s is not redirected', async (_, query) => {
  const page = await expectPage(query)
  expect(page).not.toContain('<script>alert')
  expect(page).not.toContain(scheduler.clientSecret)
  refused()
})

test('an unknown response_type and a repeated parameter are redirected as errors with the state', async () => {
  for (const response_type of ['token', 'id_token', 'none', 'code token', 'CODE']) {
    const back = await sentBack(queryOf({ response_type, state: 'kept' }))
    expect(back.get('error')).toBe('unsupported_response_type')
    expect(back.get('state')).toBe('kept')
    expect(back.get('code')).toBeNull()
  }
  expect(await errorOf(queryOf({ response_type: '' }))).toBe('invalid_request')
  for (const twice of ['scope=a&scope=b', 'scope[]=user:read:user', 'x=1&x=1']) {
    expect(await errorOf(`${queryOf({ state: 's' })}&${twice}`)).toBe('invalid_request')
  }
})

const { verifier, challenge, asked } = pkce()
const wrongChallenges: Record<string, Record<string, string>> = {
  'the method S512': { ...asked, code_challenge_method: 'S512' },
  'a method without a challenge': { code_challenge_method: 'S256' },
  'an S256 challenge of 42': { ...asked, code_challenge: challenge.slice(1) },
  'a plain challenge of 42': { code_challenge: verifier.slice(1) },
  'a plain challenge of 129': { code_challenge: 'x'.repeat(129) },
}
test.each(Object.entries(wrongChallenges))(
  'a request with %s is redirected as invalid_request before sign-in',
  async (_, more) => {
    const back = await sentBack(queryOf({ state: 's', ...more }))
    expect([back.get('error'), back.get('state')]).toEqual(['invalid_request', 's'])
    expect(back.get('code')).toBeNull()
    wrongPkce()
  },
)

test('a request without an S256 challenge is redirected as an error if the app requires S256', async () => {
  for (const app of [strict, server.app('Pocket')]) {
    expect(await errorOf(authorizeQuery(app))).toBe('invalid_request')
    expect(await errorOf(authorizeQuery(app, { code_challenge: verifier }))).toBe('invalid_request')
  }
  const { code = '' } = await ask(strict, asked)
  tokensOf(await server.exchange(strict, code, { code_verifier: verifier }))
})

test('scopes that the app does not have are redirected as invalid_scope', async () => {
  for (const scope of words(`
      user:read:user:admin user:read:user:master user:write imchat:bot made-up
      user:read:user%20made-up
    `)) {
    expect(await errorOf(queryOf({ scope }))).toBe('invalid_scope')
  }
  const optional_scope = 'user:read:user:admin'
  expect(await errorOf(queryOf({ optional_scope }))).toBe('invalid_scope')
  const legacy = server.app('Legacy')
  const classic = { optional_scope: 'user:read' }
  expect(await errorOf(authorizeQuery(legacy, classic))).toBe('invalid_scope')
  const many = Array.from({ length: 700 }, (_, i) => `meeting:read:s${i}`).join(' ')
  const long = `meeting:read:${'x'.repeat(15_000)}`
  for (const scope of [many, long]) {
    expect(await errorOf(queryOf({ scope }))).toBe('invalid_scope')
  }
})

test('a user cannot allow imchat:bot, but the other scopes of a chatbot', async () => {
  const scopes = ['imchat:bot', 'user:read:user']
  const app = { name: 'Talking bot', account: 'Acme', type: 'chatbot', scopes } as const
  const made = await declare(server, { apps: [{ ...app, redirectUris: [callback] }] })
  const bot = credentialsOf(made, 'Talking bot')
  expect(await errorOf(authorizeQuery(bot, { scope: 'imchat:bot' }))).toBe('invalid_scope')
  expect((await issue(bot)).scope).toBe('user:read:user')
})

test.each<[app: string, who: Who, error: string | null]>([
  ['Directory', 'member', 'access_denied'],
  ['Directory', 'admin', null],
  ['Franchise', 'member', 'access_denied'],
  ['Franchise', 'admin', 'access_denied'],
  ['Franchise', 'owner', null],
])('the account-level app %s, allowed by the %s, gets the error %s', async (name, who, error) => {
  const { location, code } = await ask(server.app(name), { state: 's' }, who)
  const back = new URL(location).searchParams
  expect([back.get('error'), back.get('state')]).toEqual([error, 's'])
  expect(code === undefined).toBe(error !== null)
})

test('an optional scope is offered only to users whose role can grant it', async () => {
  const board = await makeApp(server, 'Board', ['user:read:user:admin'], {
    level: 'account',
    optionalScopes: ['user:read:user:master'],
  })
  for (const [who, isOffered] of [
    ['owner', true],
    ['admin', false],
  ] as const) {
    const page = await sessions[who].get(`/oauth/authorize?${authorizeQuery(board)}`)
    expect((await page.text()).includes('user:read:user:master')).toBe(isOffered)
  }
})

const optional = 'meeting:write:meeting'

test('include_granted_scopes adds granted scopes that the app still has, unless it is false or 0', async () => {
  const scopes = ['user:read:user', 'meeting:read:list_meetings', optional]
  const growing = await makeApp(server, 'Growing', scopes)
  await issue(growing, { scope: `meeting:read:list_meetings ${optional}` })
  const one = { scope: 'user:read:user' }
  expect((await issue(growing, one)).scope).toBe('user:read:user')
  for (const flag of ['false', '0', 'False']) {
    const own = await issue(growing, { ...one, include_granted_scopes: flag })
    expect([flag, own.scope]).toEqual([flag, 'user:read:user'])
  }
  for (const flag of ['true', '', '1', 'no']) {
    const all = await issue(growing, { ...one, include_granted_scopes: flag })
    expect(all.scope.split(' ').sort()).toEqual([...scopes].sort())
  }
  await declare(server, { apps: [generalApp('Growing', scopes.slice(0, 2))] })
  const fewer = await issue(growing, { ...one, include_granted_scopes: 'true' })
  expect(fewer.scope.split(' ').sort()).toEqual(scopes.slice(0, 2).sort())
  // Grants of other users do not count.
  const ofOther = await issue(growing, { ...one, include_granted_scopes: '1' }, 'admin')
  expect(ofOther.scope).toBe('user:read:user')
})

test('AUTHORIZATION_RESPONSE_ISS adds the issuer to responses and to the metadata', async () => {
  const server = await oauthServerForTest({ env: { AUTHORIZATION_RESPONSE_ISS: 'on' } })
  const query = authorizeQuery(server.app('Scheduler'), { response_type: 'token', state: 's' })
  const { headers } = await read(server.http(`/oauth/authorize?${query}`))
  const back = new URL(headers.get('location') ?? '').searchParams
  expect(back.get('iss')).toBe('http://auth.test')
  const metadata = await read(server.http('/.well-known/oauth-authorization-server'))
  expect(metadata.body.authorization_response_iss_parameter_supported).toBe(true)
})
