import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import {
  atOnce,
  authUrl,
  refusal,
  startOAuthServer,
  startSecondNode,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { exchangeCode, openConsent, startDocumentHost } from './unregistered-clients.ts'

const { url: host, documents, fetches } = await startDocumentHost()
const headers = { 'cache-control': 'max-age=3600' }
const server = await startOAuthServer()
// Failures count against later attempts for a minute.
beforeEach(() => server.clock.advance(60_001))

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { publicKey, privateKey } = newKey()
const jwkOf = (key: KeyObject, kid = 'a') => ({ ...key.export({ format: 'jwk' }), kid })
const callback = 'https://client.test/callback'

/** Publishes the document of a client with keys and opens its consent page. */
async function publish(keys: object) {
  const path = `/client-${documents.size}`
  const clientId = host + path
  documents.set(path, {
    headers,
    client_id: clientId,
    client_name: 'Planner',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'private_key_jwt',
    ...keys,
  })
  const page = await openConsent(server, clientId, { redirect_uri: callback })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Planner')])
  return { clientId, decide: page.decide }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signWith = (key: KeyObject) => (text: string) =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')

const seconds = () => Math.floor(server.clock.now() / 1000)

/** Signs an assertion with changes to a valid one. */
function assert(
  clientId: string,
  claims: object = {},
  { header = {}, signature = signWith(privateKey) } = {},
) {
  const exp = seconds() + 300
  const payload = { iss: clientId, sub: clientId, aud: authUrl, exp, jti: randomUUID() }
  const text = `${encode({ alg: 'ES256', kid: 'a', ...header })}.${encode({ ...payload, ...claims })}`
  return `${text}.${signature(text)}`
}

const bearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const form = (path: string, parameters: Record<string, string>, at = server) =>
  at.post(path, parameters, { place: 'form' })
const revoke = (assertion: string, more: Record<string, string> = {}, at = server) => {
  const credential = { client_assertion_type: bearer, client_assertion: assertion }
  return form('/oauth/revoke', { token: 'unknown', ...credential, ...more }, at)
}
const { clientId, decide } = await publish({ jwks: { keys: [jwkOf(publicKey)] } })
const wrong = '401 invalid_client 4702'

test('a client gets, introspects and revokes tokens with assertions that its key signed', async () => {
  const credential = () => ({ client_assertion_type: bearer, client_assertion: assert(clientId) })
  const code = (await decide()).back.searchParams.get('code')
  const more = { redirect_uri: callback, ...credential() }
  const tokens = tokensOf(await exchangeCode(server, clientId, code, more))
  const named = { token: tokens.access_token }
  expect((await form('/oauth/introspect', { ...named, ...credential() })).body.active).toBe(true)
  expect((await form('/oauth/revoke', { ...named, ...credential() })).status).toBe(200)
  expect((await form('/oauth/introspect', { ...named, ...credential() })).body.active).toBe(false)
})

test('a client with a key cannot authenticate with only its id, or with a secret as well', async () => {
  const only = await form('/oauth/revoke', { token: 'unknown', client_id: clientId })
  expect(refusal(only)).toBe('401 invalid_client 4706')
  expect((await revoke(assert(clientId), { client_secret: 'x' })).status).toBe(400)
})

test('of many simultaneous uses of an assertion only one succeeds', async () => {
  const assertion = assert(clientId, { aud: `${authUrl}/oauth/token` })
  const answers = await atOnce(5, () => revoke(assertion))
  expect(tally(answers.map(({ status }) => String(status)))).toEqual({ 200: 1, 401: 4 })
})

test('an assertion is used once, also at another node and after a restart', async () => {
  const assertion = assert(clientId)
  expect((await revoke(assertion)).status).toBe(200)
  // It shares nothing with the first but the database.
  const node = await startSecondNode(server)
  const answer = await revoke(assertion, {}, node)
  expect(refusal(answer)).toBe(wrong)
  expect(answer.body.error_description).toContain('already used')
  expect((await revoke(assert(clientId, { exp: seconds() + 0.5 }), {}, node)).status).toBe(200)
  server.clock.advance(2 * 86_400_000)
  await server.runJob('removing expired records')
  const left = await server.ctx.db.read.selectFrom('client_assertions').selectAll().execute()
  expect(left).toEqual([])
})

const claims: Record<string, () => object> = {
  'another audience': () => ({ aud: 'https://auth.example.com' }),
  'another issuer': () => ({ iss: 'https://client.example' }),
  'no exp': () => ({ exp: undefined }),
  'no jti': () => ({ jti: undefined }),
  'an exp in the past': () => ({ exp: seconds() - 31 }),
  'an exp that is more than 10 minutes ahead': () => ({ exp: seconds() + 632 }),
  'an nbf in the future': () => ({ nbf: seconds() + 60 }),
}
test.each(Object.entries(claims))('an assertion with %s is refused', async (_, change) => {
  const answer = await revoke(assert(clientId, change()), { client_id: clientId })
  expect(refusal(answer)).toBe(wrong)
  expect(answer.body.error_description).not.toContain('client secret')
})

const hmac = (text: string) =>
  createHmac('sha256', JSON.stringify(jwkOf(publicKey)))
    .update(text)
    .digest('base64url')
const signatures: Record<string, [Parameters<typeof assert>[2], string]> = {
  'with nothing': [{ header: { alg: 'none' }, signature: () => '' }, 'Sign'],
  'with an HMAC of the public key': [{ header: { alg: 'HS256' }, signature: hmac }, 'Sign'],
  'by another key': [{ signature: signWith(newKey().privateKey) }, 'The signature'],
  'by a key with an unknown id': [{ header: { kid: 'b' } }, 'The client has no key'],
}
test.each(Object.entries(signatures))('a JWT signed %s is refused', async (_, [change, reason]) => {
  const answer = await revoke(assert(clientId, {}, change))
  expect(refusal(answer)).toBe(wrong)
  expect(String(answer.body.error_description).startsWith(reason)).toBe(true)
})

test('an assertion of another type, or that is not a JWT, is refused', async () => {
  const type = { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' }
  expect(refusal(await revoke(assert(clientId), type))).toBe(wrong)
  expect(refusal(await revoke('x.y.z'))).toBe(wrong)
})

test('an app with a secret and a client without keys cannot use assertions', async () => {
  const bot = server.app('Helper bot').clientId
  const keyless = await publish({ token_endpoint_auth_method: 'none' })
  for (const id of [bot, keyless.clientId]) {
    expect(refusal(await revoke(assert(id), { client_id: id }))).toBe(wrong)
  }
})

test('a key set is cached, and fetched once a minute at most for keys that it lacks', async () => {
  documents.set('/keys', { headers, keys: [jwkOf(publicKey)] })
  const remote = await publish({ jwks_uri: `${host}/keys` })
  expect((await revoke(assert(remote.clientId))).status).toBe(200)
  const next = newKey()
  documents.set('/keys', { headers, keys: [jwkOf(next.publicKey, 'b')] })
  const rotated = () =>
    revoke(
      assert(remote.clientId, {}, { header: { kid: 'b' }, signature: signWith(next.privateKey) }),
    )
  expect((await rotated()).status).toBe(401)
  expect(fetches('/keys')).toBe(1)
  server.clock.advance(60_000)
  expect((await rotated()).status).toBe(200)
  expect((await rotated()).status).toBe(200)
  expect(fetches('/keys')).toBe(2)
})

test('a key set at an address that cannot be fetched is named in the refusal', async () => {
  const { clientId: broken } = await publish({ jwks_uri: `${host}/missing` })
  const answer = await revoke(assert(broken))
  expect(answer.body.error_description).toBe(
    'The service cannot fetch the jwks_uri. The response status is 404, but 200 is required.',
  )
})
