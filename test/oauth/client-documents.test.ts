import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { callback as appCallback, password } from '../support/apps.ts'
import { hasChromium, openPage } from '../support/browser.ts'
import { serveHttp } from '../support/http-server.ts'
import {
  atOnce,
  oauthServerForTest,
  post,
  read,
  refusal,
  startOAuthServer,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { startPages } from '../support/pages.ts'
import { openSession, signIn } from '../support/people.ts'
import { startTestServer } from '../support/server.ts'
import { serverForTest } from '../support/skills.ts'
import { until } from '../support/waiting.ts'
import { words } from '../support/words.ts'
import {
  consentQuery,
  exchangeCode,
  openConsent,
  startDocumentHost,
  verifier,
} from './unregistered-clients.ts'

const { url: host, documents, fetches } = await startDocumentHost()
const server = await startOAuthServer()
const registered = 'http://127.0.0.1/callback'
const callback = 'http://127.0.0.1:51234/callback'
const local = 'http://127.0.0.1/done'
const web = 'https://client.test/callback'
const nameOf = (clientId: string) => clientId.replace('http://', '')
const writing = 'meeting:write:meeting'
const basic = 'meeting:read:list_meetings meeting:read:meeting user:read:user'

let documentCount = 0
/** Serves a document at a new address and returns the address. */
function publish(more: object = {}) {
  const path = `/client-${++documentCount}`
  const clientId = host + path
  const change = (changes: object) => {
    const fields = { client_id: clientId, client_name: 'Helper', redirect_uris: [registered, web] }
    documents.set(path, { ...fields, ...more, ...changes })
    // The cached document expires.
    server.clock.advance(60_000)
  }
  change({})
  return { clientId, path, change }
}

const queryOf = (clientId: string, more: Record<string, string> = {}) =>
  consentQuery(clientId, { redirect_uri: callback, ...more })
const member = () => signIn(server, { email: 'member@acme.test', password })
const open = (clientId: string, more: Record<string, string> = {}, email?: string) =>
  openConsent(server, clientId, { redirect_uri: callback, ...more }, email)
const codeOf = async (clientId: string, more: Record<string, string> = {}) => {
  const { decide } = await open(clientId, more)
  return (await decide()).back.searchParams.get('code')
}
const token = (clientId: string, parameters: Record<string, string>) =>
  post(server, '/oauth/token', { client_id: clientId, ...parameters }, { place: 'form' })
const exchange = (clientId: string, code: string | null, redirect_uri = callback) =>
  exchangeCode(server, clientId, code, { redirect_uri })

test('a client that nobody registered gets tokens by its document, and the user can remove it', async () => {
  const { clientId, path } = publish()
  const { back } = await (await open(clientId, { state: 's' })).decide()
  expect(back.href.startsWith(`${callback}?`)).toBe(true)
  const tokens = tokensOf(await exchange(clientId, back.searchParams.get('code')))
  expect(tokens.scope.split(' ').sort().join(' ')).toBe(basic)
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const rotated = tokensOf(await token(clientId, refresh))
  expect((await server.me(rotated.access_token)).status).toBe(200)
  expect(fetches(path)).toBe(1)
  const user = await member()
  const html = await (await user.get('/my/apps')).text()
  expect(html).toContain(nameOf(clientId))
  expect(html).toContain('an unverified developer')
  const form = /action="(\/my\/apps[^"]*)"/.exec(html.slice(html.indexOf(nameOf(clientId))))
  await user.submit(html, form?.[1] ?? '')
  const next = { grant_type: 'refresh_token', refresh_token: rotated.refresh_token }
  expect(refusal(await token(clientId, next))).toBe('400 invalid_grant 4741')
})

test('a document client must use S256, and has only user-level scopes of users and meetings', async () => {
  const { clientId } = publish()
  const errorOf = async (more: Record<string, string>) => {
    const { headers } = await open(clientId, more)
    return new URL(headers.get('location') ?? '').searchParams
  }
  const plain = await errorOf({ code_challenge: verifier, code_challenge_method: 'plain' })
  expect(plain.get('error')).toBe('invalid_request')
  for (const scope of ['user:read:list_users:admin', 'marketplace:write:app', 'imchat:bot']) {
    expect((await errorOf({ scope })).get('error')).toBe('invalid_scope')
  }
  const { text } = await open(clientId)
  expect(text).toMatch(/<input type="checkbox" [^>]*value="meeting:write:meeting"/)
  expect(text).not.toMatch(/<input[^>]* checked/)
})

test('every response to a document client names the issuer, and those to registered apps do not', async () => {
  const { clientId } = publish()
  const allowed = await (await open(clientId)).decide()
  const denied = await (await open(clientId)).decide('deny')
  const refused = await open(clientId, { response_type: 'token' })
  const sent = [allowed.back, denied.back, new URL(refused.headers.get('location') ?? '')]
  expect(sent.map(({ searchParams }) => searchParams.get('error'))).toEqual([
    null,
    'access_denied',
    'unsupported_response_type',
  ])
  for (const { searchParams } of sent) expect(searchParams.get('iss')).toBe('http://auth.test')
  const { clientId: scheduler } = server.app('Scheduler')
  const own = await open(scheduler, { response_type: 'token', redirect_uri: appCallback })
  expect(new URL(own.headers.get('location') ?? '').searchParams.has('iss')).toBe(false)
})

test('only document clients can choose the port of a loopback redirect, and the code is bound to it', async () => {
  const all = ['http://127.0.0.1/a', 'http://localhost:1/a?x=1', 'http://[::1]/a', web]
  const { clientId } = publish({ redirect_uris: all })
  const isShown = async (redirect_uri: string) =>
    (await open(clientId, { redirect_uri })).status === 200
  for (const uri of [...all, 'http://127.0.0.1:8/a', 'http://localhost/a?x=1', 'http://[::1]:8/a'])
    expect([uri, await isShown(uri)]).toEqual([uri, true])
  for (const uri of words(`
    http://127.0.0.1:8/b http://localhost:8/a http://127.0.0.1:99999/a http://127.0.0.1.evil.test/a
    http://127.0.0.1:8@evil.test/a https://client.test:8/callback https://127.0.0.1:8/a
  `))
    expect([uri, await isShown(uri)]).toEqual([uri, false])
  const code = await codeOf(clientId, { redirect_uri: 'http://127.0.0.1:8/a' })
  const other = await exchange(clientId, code, 'http://127.0.0.1:9/a')
  expect(refusal(other)).toBe('400 invalid_grant 4709')
  tokensOf(await exchange(clientId, code, 'http://127.0.0.1:8/a'))
  const { clientId: scheduler } = server.app('Scheduler')
  const moved = appCallback.replace('8090', '8091')
  expect((await open(scheduler, { redirect_uri: moved })).status).toBe(400)
})

test('a redirect address that a document drops receives nothing, before, on and after the consent page', async () => {
  const client = publish()
  const code = await codeOf(client.clientId)
  const { decide } = await open(client.clientId)
  client.change({ redirect_uris: [web] })
  const refused = await exchange(client.clientId, code)
  expect(refusal(refused)).toBe('400 invalid_grant 4709')
  for (const decision of ['allow', 'deny'] as const) {
    const answer = await decide(decision)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  }
  expect((await open(client.clientId)).status).toBe(400)
})

test('a changed document changes the shown name and the client authentication at the next use', async () => {
  const client = publish()
  const { text } = await open(client.clientId)
  expect(text).toContain('Helper')
  const code = await codeOf(client.clientId)
  client.change({ client_name: 'Other', token_endpoint_auth_method: 'private_key_jwt' })
  expect((await open(client.clientId)).text).toContain('Other')
  expect((await exchange(client.clientId, code)).status).toBe(401)
})

test.each(['Skillpass Support', 'Ѕсheduler', 'Scheduler (official)', '🚀'])(
  'the consent page shows only the address of a document that claims the name %j',
  async (client_name) => {
    const { clientId } = publish({ client_name })
    const { status, text } = await open(clientId)
    expect(status).toBe(200)
    expect(text).toContain(nameOf(clientId))
    expect(text).not.toContain('calls itself')
    expect(text).not.toContain(client_name)
  },
)

test('a client gets nothing from a consent to another client of the same name', async () => {
  const first = publish()
  const second = publish()
  tokensOf(await exchange(first.clientId, await codeOf(first.clientId, { scope: writing })))
  const more = { scope: 'user:read:user', include_granted_scopes: 'true' }
  const page = await open(second.clientId, more)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain(writing)
  const code = (await page.decide()).back.searchParams.get('code')
  // The code of one client is worth nothing to the other.
  expect(refusal(await exchange(first.clientId, code))).toBe('400 invalid_grant 4734')
  expect(tokensOf(await exchange(second.clientId, code)).scope).toBe('user:read:user')
})

test.each([
  ['is missing', { status: 404 }],
  ['redirects', { status: 302, headers: { location: '/elsewhere' } }],
  ['names another client', { client_id: 'https://other.test/client' }],
  ['is huge', { filler: 'x'.repeat(64 * 1024) }],
  ['has a client secret', { client_secret: 'x' }],
  ['has no name', { client_name: ' ' }],
  ['has a name with hidden characters', { client_name: 'Help\u202eer' }],
  ['authenticates with a secret', { token_endpoint_auth_method: 'client_secret_post' }],
  ['has no usable redirect address', { redirect_uris: ['http://client.test/', 'javascript:x', 1] }],
  ['has too many redirect addresses', { redirect_uris: Array(51).fill(web) }],
])('a document that %s is refused, and is fetched at most once a minute', async (_, fields) => {
  const { clientId, path } = publish(fields)
  for (const user of [openSession(server), await member()]) {
    const page = await read(user.get(`/oauth/authorize?${queryOf(clientId)}`))
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect(page.text).toContain('cannot be used')
  }
  expect(fetches(path)).toBe(1)
})

test('the token endpoint fetches no document of a client that no user was asked about', async () => {
  const { clientId, path } = publish()
  expect((await exchange(clientId, 'x')).status).toBe(401)
  const page = await read(server.http(`/oauth/authorize?${queryOf(clientId)}`))
  expect([page.status, fetches(path)]).toEqual([302, 1])
  server.clock.advance(60_000)
  expect((await exchange(clientId, 'x')).status).toBe(401)
  expect(fetches(path)).toBe(1)
})

test('private addresses and hosts that the operator does not list are not fetched', async () => {
  const { clientId, path } = publish()
  const only = new URL(clientId).host
  for (const [settings, allowed] of [
    [{ CLIENT_ID_DOCUMENTS: 'off' }, false],
    [{ CLIENT_ID_DOCUMENTS: 'client.test' }, false],
    [{ CLIENT_ID_DOCUMENTS: `client.test, ${only}` }, true],
    [{ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'off' }, false],
  ] as const) {
    const strict = await oauthServerForTest({ env: settings })
    const { status } = await read(strict.http(`/oauth/authorize?${queryOf(clientId)}`))
    expect([settings, status]).toEqual([settings, allowed ? 302 : 400])
    const inside = `${clientId.replace('http:', 'https:')}-inside`
    const { text } = await read(strict.http(`/oauth/authorize?${queryOf(inside)}`))
    if ('WEBHOOK_ALLOW_PRIVATE_ADDRESSES' in settings)
      expect(text).toContain('must have a host name, not an IP address')
    const metadata = await read(strict.http('/.well-known/oauth-authorization-server'))
    const isOff = 'CLIENT_ID_DOCUMENTS' in settings && settings.CLIENT_ID_DOCUMENTS === 'off'
    expect(metadata.body.client_id_metadata_document_supported).toBe(!isOff)
    expect(metadata.text.includes('private_key_jwt')).toBe(!isOff)
  }
  expect(fetches(path)).toBe(1)
})

test('an address gets 20 documents a minute fetched, and may use those that were fetched before', async () => {
  const limited = await oauthServerForTest({ env: { TRUST_PROXY: 'loopback' } })
  const ask = (path: string, from = '192.0.2.1') =>
    limited.http(`/oauth/authorize?${queryOf(host + path)}`, {
      headers: { 'x-forwarded-for': from },
    })
  const askMany = (count: number, name: string) =>
    atOnce(count, async (at) => (await ask(`/${name}-${at}`)).status)
  const redirect_uris = [registered]
  documents.set('/kept', { client_id: `${host}/kept`, client_name: 'Kept', redirect_uris })
  expect((await ask('/kept', '192.0.2.2')).status).toBe(302)
  expect(tally((await askMany(50, 'sought')).map(String))).toEqual({ 400: 20, 429: 30 })
  expect(fetches((path) => path.startsWith('/sought'))).toBe(20)
  expect((await ask('/more')).headers.get('retry-after')).toBe('60')
  expect((await ask('/more', '192.0.2.2')).status).toBe(400)
  limited.clock.advance(60_000)
  expect(tally((await askMany(21, 'later')).map(String))).toEqual({ 400: 20, 429: 1 })
  // It is due again, but it worked before.
  expect((await ask('/kept')).status).toBe(302)
  expect(fetches('/kept')).toBe(1)
})

test('a host gets at most 60 requests a minute from all addresses together, and 32 at once', async () => {
  const limited = await oauthServerForTest({ env: { TRUST_PROXY: 'loopback' } })
  const waiting: ServerResponse[] = []
  const slow = await serveHttp((_, response) => waiting.push(response))
  const ask = async (count: number, network: string) => {
    const statuses: number[] = []
    const asking = atOnce(count, async (at) => {
      const headers = { 'x-forwarded-for': `${network}.${at}` }
      const path = `/oauth/authorize?${queryOf(`${slow.url}/${network}/${at}`)}`
      statuses.push((await limited.http(path, { headers })).status)
    })
    await until('each waits or is refused', () => waiting.length + statuses.length === count)
    for (const response of waiting.splice(0)) response.writeHead(404).end()
    await asking
    return tally(statuses.map(String))
  }
  expect(await ask(40, '192.0.2')).toEqual({ 400: 32, 429: 8 })
  expect(await ask(30, '198.51.100')).toEqual({ 400: 28, 429: 2 })
})

test('production fetches no document or key set from a private address, whatever webhooks may reach', async () => {
  const origin = 'https://own.test'
  const production = { NODE_ENV: 'production', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'on' }
  const env = { ...production, BASE_URL: origin, AUTH_URL: origin, API_URL: origin }
  const strict = await startTestServer({ env })
  const { clientId, path } = publish()
  for (const id of [clientId, `https://127.0.0.1/${path}`, `https://localhost/${path}`]) {
    const page = await strict.http(`/oauth/authorize?${queryOf(id)}`, {
      headers: { host: 'own.test' },
    })
    expect([id, page.status]).toEqual([id, 400])
    expect(await strict.ctx.fetchJson(id)).toHaveProperty('reason')
  }
  expect(fetches(path)).toBe(0)
})

test('only loopback is open to documents in development, and no other private address', async () => {
  for (const env of [{}, { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'on' }]) {
    const { ctx } = await serverForTest({ env: { NODE_ENV: 'development', ...env } })
    for (const address of words(`https://10.0.0.1/a https://[::ffff:10.0.0.1]/a
      https://169.254.169.254/a https://router.lan/a http://127.0.0.1.nip.io/a http://[::]/a
      http://0.0.0.0/a http://127.1.evil.test/a http://10.0.0.1/a`)) {
      expect([address, await ctx.fetchJson(address)]).toEqual([
        address,
        { reason: expect.stringMatching(/^The address must/) },
      ])
    }
  }
})

test('only a plain https address with a path is the address of a document', async () => {
  const env = { BASE_URL: 'https://own.test', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'off' }
  const strict = await serverForTest({ env })
  const fetched = vi.spyOn(strict.ctx, 'fetchJson').mockResolvedValue({ reason: 'It is down.' })
  const isAddress = async (text: string) => {
    fetched.mockClear()
    await strict.http(`/oauth/authorize?${queryOf(text)}`)
    return fetched.mock.calls.length > 0
  }
  expect(await isAddress('https://client.test/oauth.json')).toBe(true)
  for (const text of words(`
    https://client.test https://client.test/ http://client.test/a http://127.0.0.1/a client.test/a
    https://client.test/a#b https://client.test/a# https://u@client.test/a https://u:p@client.test/a
    https://client.test/a/../b https://client.test/./a https://client.test/%2e%2e/a https:client.test/a
    https://Client.test/a https://client.test:443/a https://client.test\\a ftp://client.test/a
    https://client.test/${'a'.repeat(100)} https://own.test/a
  `))
    expect([text, await isAddress(text)]).toEqual([text, false])
})

test('an admin approves a document client for an account, whatever name it claims later', async () => {
  const client = publish()
  const ask = (email: string) => open(client.clientId, { scope: 'user:read:user' }, email)
  const before = await ask('member@careful.test')
  expect([before.status, before.text.includes(nameOf(client.clientId))]).toEqual([403, true])
  const { text, user } = await ask('admin@careful.test')
  await user.submit(text, '/my/approvals', { decision: 'approve' })
  client.change({ client_name: 'Renamed' })
  expect((await ask('member@careful.test')).status).toBe(200)
})

test('the operator can disable or delete a document client', async () => {
  const { clientId } = publish()
  const tokens = tokensOf(await exchange(clientId, await codeOf(clientId)))
  await server.moderate('app disable', clientId)
  expect((await server.me(tokens.access_token)).body).toMatchObject({ code: 4717 })
  expect((await open(clientId)).text).toContain('switched off')
  await server.moderate('app delete', clientId, 'A test.', '--yes')
  const { headers } = await open(clientId)
  expect(headers.get('location')).toContain('error=unauthorized_client')
})

test.runIf(hasChromium)('consent shows the host first, a claimed name and a warning', async () => {
  const { clientId } = publish({ client_name: 'Acme Bank', redirect_uris: [local] })
  documents.set('/done', { status: 200 })
  // Its pages are at its own address, as a browser needs.
  const pages = await startPages()
  const user = await pages.signIn('member@acme.test')
  const query = queryOf(clientId, { redirect_uri: `${host}/done` })
  const { page } = await openPage(`${pages.server.url}/oauth/authorize?${query}`, {
    cookie: user.cookie(),
  })
  const { host: name } = new URL(clientId)
  expect(await page.locator('h1').innerText()).toBe(`Allow ${name} to use your account?`)
  const words = await page.locator('main').innerText()
  expect(words.indexOf(name)).toBeLessThan(words.indexOf('Acme Bank'))
  expect(words).toContain('Unverified')
  expect(words).toContain('It calls itself Acme Bank.')
  expect(words).toContain('any program can pretend to be this app')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL(/\/done\?code=/)
})
