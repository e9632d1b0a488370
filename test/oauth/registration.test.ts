import { migrations } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { makeApp } from '../support/apps.ts'
import {
  oauthServerForTest,
  post,
  read,
  refusal,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'
import { exchangeCode, openConsent } from './unregistered-clients.ts'

const server = await startOAuthServer({
  env: { DYNAMIC_CLIENT_REGISTRATION: 'on', RATE_LIMIT_REGISTRATIONS_PER_HOUR: '1000' },
})
type Server = typeof server

const registered = 'http://127.0.0.1/callback'
const callback = 'http://127.0.0.1:51234/callback'

const register = (metadata: object, at: Server = server) =>
  read(
    at.http('/oauth/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  )
const newClient = async (more: object = {}) =>
  String((await register({ redirect_uris: [registered], ...more })).body.client_id)

/** Opens the consent page of a client for a member. */
const open = (clientId: string, more: Record<string, string> = {}) =>
  openConsent(server, clientId, { redirect_uri: callback, ...more })

async function grantOf(clientId: string) {
  const { searchParams } = (await (await open(clientId)).decide()).back
  expect(searchParams.get('iss')).toBe('http://auth.test')
  return exchangeCode(server, clientId, searchParams.get('code'), { redirect_uri: callback })
}

test('a client registers itself and gets tokens at any port of its loopback address', async () => {
  const { status, body } = await register({
    redirect_uris: [registered],
    client_name: 'Helper',
    grant_types: ['authorization_code', 'refresh_token', 'urn:unknown'],
    client_uri: 'https://helper.test',
    software_id: 'helper',
  })
  expect([status, body]).toEqual([
    201,
    {
      client_id: expect.stringMatching(/^\w{22}$/),
      client_id_issued_at: Math.floor(server.clock.now() / 1000),
      client_name: 'Helper',
      redirect_uris: [registered],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: expect.stringContaining('meeting:write:meeting'),
    },
  ])
  const { access_token: token } = tokensOf(await grantOf(String(body.client_id)))
  expect((await server.me(token)).status).toBe(200)
})

test('the consent page of a registered client says that it is unverified, and shows its address', async () => {
  const { text } = await open(await newClient({ client_name: 'Acme Bank' }))
  expect(text).toContain('Unverified')
  expect(text).toMatch(/Allow <span[^>]*>127\.0\.0\.1:51234<\/span> to use your account/)
  expect(text).toMatch(/calls itself <strong[^>]*>Acme Bank \(/)
})

test('a registered client can request the scopes of its registration and no others', async () => {
  const scope = 'meeting:write:meeting user:read:user:admin openid'
  const { body } = await register({ redirect_uris: [registered], scope })
  expect(body.scope).toBe('meeting:write:meeting')
  const more = await open(String(body.client_id), { scope: 'user:read:user' })
  expect(more.headers.get('location')).toContain('error=invalid_scope')
})

test.each([
  ['no redirect URI', { redirect_uris: undefined }],
  ['only an http address beyond loopback', { redirect_uris: ['http://client.test/'] }],
  ['a script as its address', { redirect_uris: ['javascript:alert(1)'] }],
  ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
  ['a name with hidden characters', { client_name: 'Acme\u202e' }],
  ['only scopes of admins', { scope: 'user:read:user:admin' }],
])('a client with %s cannot register', async (_, metadata) => {
  const answer = await register({ redirect_uris: [registered], ...metadata })
  const error = 'redirect_uris' in metadata ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  expect(refusal(answer)).toBe(`400 ${error}`)
})

const cursor = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
]

test('a registration keeps the addresses that the client may have, and returns them', async () => {
  const sent = [...cursor, 'javascript:alert(1)', 'http://client.test/', cursor[1]]
  const { status, body } = await register({ redirect_uris: sent })
  expect([status, body.redirect_uris]).toEqual([201, cursor.slice(1)])
  const open = (redirect_uri = '') => openConsent(server, String(body.client_id), { redirect_uri })
  expect((await open(cursor[2])).text).toContain('to use your account')
  expect((await open(cursor[0])).text).not.toContain('to use your account')
})

const impostors = [
  ...['Skillpass', 'Ѕкillраss', 'Skillpass™ Helper', 'sk1llpass', 'Admin', 'Official Support'],
  ...['Scheduler', 'SCHEDULER!', 'Scheduler™', 'Scheduler ᵀᴹ', 'Scheduler (official)', 'Ѕсhеdulеr'],
  ...['  S c h e d u l e r  ', 'The Scheduler App', 'Schedu1er', 'Scheduler, Inc.', 'Śchęduler'],
  ...[
    'Scheduler (deadbeef)',
    '(Scheduler)',
    'x(Scheduler)',
    'Sign in [Scheduler]',
    'Ｓｃｈｅｄｕｌｅｒ',
    'Verified Scheduler',
    'Sche-duler',
  ],
  ...['Ⓢcheduler', '🅢cheduler', '🄢cheduler', 'Scheduler GmbH', 'Sched|uler', 'Sch(e)duler'],
  ...['Scheduler 2', 'Scheduler1', '1 Scheduler', 'Scheduler v2', 'Scheduler v2.1', 'Schedu1er 2'],
  ...['Authorized Scheduler', 'Approved Scheduler', 'Offical Scheduler', 'Verifed Scheduler'],
  ...['官方 Scheduler', '官方Scheduler', 'officialscheduler', 'SCHEDULERᵀᴹ', 'Scheduler S.A.'],
  ...['Schedular', 'Sheduler', 'Schedulers', 'Scheduler-app', 'schedulerapp', 'Sched_uler'],
  ...['\u2800', '...', '🚀', '—', 'Sched\u200buler', 'Scheduler\u3164'],
]

test.each(impostors)('no client gets a reserved, empty or taken name: %j', async (client_name) => {
  const answer = await register({ redirect_uris: [registered], client_name })
  expect(refusal(answer)).toBe('400 invalid_client_metadata')
  expect(answer.body.error_description).toContain('client_name')
})

test('names of known hosts can be registered', async () => {
  for (const name of [
    ...[
      'Claude Code (meetings)',
      'MCP CLI Proxy',
      'Visual Studio Code',
      'Cursor',
      'Codex',
      'ChatGPT',
    ],
    ...[
      'Gemini CLI MCP Client',
      'MCP Inspector',
      'LM Studio',
      'Scheduling helper',
      '日程',
      'App',
      'Goose',
    ],
  ]) {
    const answer = await register({ redirect_uris: [registered], client_name: name })
    expect([name, answer.status]).toEqual([name, 201])
  }
})

test('a client loses its name to an app that is registered later', async () => {
  const clientId = await newClient({ client_name: 'Late-Comer' })
  await grantOf(clientId)
  const { text, user } = await open(clientId)
  expect(text).toContain('Late-Comer')
  await makeApp(server, 'Latecomer™', ['user:read:user'])
  for (const page of [await open(clientId), await read(user.get('/my/apps'))]) {
    expect(page.text).not.toContain('Late-Comer')
    expect(page.text).toContain(`App (${clientId.slice(0, 8)})`)
  }
  const again = await register({ redirect_uris: [registered], client_name: 'latecomer' })
  expect(refusal(again)).toBe('400 invalid_client_metadata')
})

test.each([{ visibility: 'private' }, { visibility: 'development' }, { disabled: true }] as const)(
  'a client keeps its name although an app has it with %j, which any developer can create',
  async (more) => {
    const name = `Keeper ${Object.values(more)}`
    const clientId = await newClient({ client_name: name })
    await makeApp(server, name, ['user:read:user'], more)
    expect((await open(clientId)).text).toContain(name)
    const again = await register({ redirect_uris: [registered], client_name: name })
    expect(again.status).toBe(201)
  },
)

test('a private app keeps its name from clients once somebody besides its developer has added it', async () => {
  const name = 'Ledger Keeper'
  const app = await makeApp(server, name, ['user:read:user'], { visibility: 'private' })
  const claim = () => register({ redirect_uris: [registered], client_name: 'Ledger Keper' })
  expect((await claim()).status).toBe(201)
  await server.grantOf(app)
  expect(refusal(await claim())).toBe('400 invalid_client_metadata')
})

test('an upgrade from the first release protects the names of the apps that exist', async () => {
  const env = { DYNAMIC_CLIENT_REGISTRATION: 'on' }
  const old = await oauthServerForTest({ env })
  const claims = migrations.find(({ name }) => name.endsWith('-claims'))
  for (const step of [claims?.down, claims?.up]) await old.ctx.db.write(async (trx) => step?.(trx))
  const taken = { redirect_uris: [registered], client_name: 'Scheduler' }
  expect((await register(taken, old)).status).toBe(400)
})

test('an address can register 5 clients in an hour, and failures do not count', async () => {
  const limited = await oauthServerForTest({
    env: { DYNAMIC_CLIENT_REGISTRATION: 'on', RATE_LIMIT_REGISTRATIONS_PER_HOUR: '5' },
  })
  await register({}, limited)
  for (let count = 0; count < 5; count++) {
    expect((await register({ redirect_uris: [registered] }, limited)).status).toBe(201)
  }
  const { status, body } = await register({ redirect_uris: [registered] }, limited)
  expect([status, body.error]).toEqual([429, 'temporarily_unavailable'])
})

test('registration is off by default beyond development, and then the metadata does not announce it', async () => {
  const off = await oauthServerForTest()
  expect((await register({ redirect_uris: [registered] }, off)).status).toBe(404)
  const metadata = async (at: Server) =>
    (await read(at.http('/.well-known/oauth-authorization-server'))).body
  expect(await metadata(off)).not.toHaveProperty('registration_endpoint')
  expect((await metadata(server)).registration_endpoint).toBe('http://auth.test/oauth/register')
})

test('in development clients can register addresses on loopback, and others only if the operator allows it', async () => {
  const web = 'https://client.test/callback'
  const local = 'http://localhost:3334/oauth/callback'
  const otherLocal = 'http://127.0.0.2:3334/oauth/callback'
  for (const [setting, ...expected] of [
    [undefined, [local], 400, [registered], cursor.slice(2), 400],
    ['on', [local], [web], [registered, web], cursor.slice(1), 400],
    ['off', 404, 404, 404, 404, 404],
  ] as const) {
    const NODE_ENV = 'development'
    const env = { NODE_ENV, ...(setting && { DYNAMIC_CLIENT_REGISTRATION: setting }) }
    const at = await oauthServerForTest({ env })
    const answers = []
    for (const redirect_uris of [[local], [web], [registered, web], cursor, [otherLocal]]) {
      const { status, body } = await register({ redirect_uris }, at)
      answers.push(status === 201 ? body.redirect_uris : status)
    }
    expect([setting, ...answers]).toEqual([setting, ...expected])
    const { body } = await read(at.http('/.well-known/oauth-authorization-server'))
    expect('registration_endpoint' in body).toBe(setting !== 'off')
  }
})

test('a registered client without an active grant is deleted after 30 days', async () => {
  const [used, unused] = [await newClient(), await newClient()]
  const tokens = tokensOf(await grantOf(used))
  server.clock.advance(30 * 86_400_000)
  await server.runJob('removing old records')
  expect((await open(unused)).status).toBe(200)
  server.clock.advance(1)
  await server.runJob('removing old records')
  expect((await open(unused)).text).not.toContain('to use your account')
  expect((await open(used)).text).toContain('to use your account')
  const ended = { token: tokens.refresh_token, client_id: used }
  expect((await post(server, '/oauth/revoke', ended, { place: 'form' })).status).toBe(200)
  await server.runJob('removing old records')
  expect((await open(used)).text).not.toContain('to use your account')
})
