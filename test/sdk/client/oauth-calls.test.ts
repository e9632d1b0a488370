import { inspect } from 'node:util'
import { ConnectionError, createClient, UnexpectedResponseError } from '@skillpass/client'
import { expect, test } from 'vitest'
import { clientOf, example, type Reply, serve } from './fixture.ts'
import { app, basic, errorResponse, sleepingClock, tokenResponse } from './oauth-fixture.ts'

const params = { userId: 'me' }
const user = example('platform.users.get')
const refused = { status: 401, body: { code: 124, message: 'Access token is expired.' } }
const body = { grant_type: 'client_credentials' } as const

test('the client sends each secret only to its address, and only to routes that need it', async () => {
  const registry = await serve(() => ({ body: { data: [], total: 0 } }))
  const auth = await serve(() => ({ body: { active: false } }))
  const api = await serve(() => ({ body: user }))
  const client = createClient({
    baseUrl: registry.baseUrl,
    authUrl: auth.baseUrl,
    apiUrl: `${api.baseUrl}/base/`,
    apiKey: 'skp_key',
    accessToken: 'sat_1',
    ...app,
  })
  await client.registry.health.check().catch(() => {})
  await client.registry.skills.trending()
  await client.oauth.introspect({ body: { token: 'sat_1' } })
  await client.oauth.metadata().catch(() => {})
  await client.platform.users.get({ params })
  expect(registry.received.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    'Bearer skp_key',
  ])
  expect(auth.received.map(({ headers }) => headers.authorization)).toEqual([basic, undefined])
  expect(api.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/base/v2/users/me', 'Bearer sat_1'],
  ])
})

test('an OAuth call never follows a redirect', async () => {
  const elsewhere = await serve(() => tokenResponse(1))
  const location = `${elsewhere.baseUrl}/oauth/token`
  const { oauth } = await clientOf(() => ({ status: 307, headers: { location } }), { ...app })
  await expect(oauth.token({ body })).rejects.toThrow(UnexpectedResponseError)
  expect(elsewhere.received).toEqual([])
})

test('no OAuth call is repeated after a broken connection, except revoke and introspect', async () => {
  const { baseUrl, received } = await serve(() => ({ breakOff: true }))
  const { oauth } = createClient({ baseUrl, ...app, retries: 1 }, sleepingClock())
  await expect(oauth.token({ body })).rejects.toThrow(ConnectionError)
  expect(received).toHaveLength(1)
  await expect(oauth.revoke({ body: { token: 'sat_1' } })).rejects.toThrow(ConnectionError)
  expect(received).toHaveLength(3)
})

test.each<[string, Reply]>([
  ['refused', errorResponse('invalid_client')],
  ['broken off', { breakOff: true }],
  ['answered by a proxy', { status: 502, body: 'Bad gateway' }],
  ['redirected', { status: 307, headers: { location: '/elsewhere' } }],
])('the error of an OAuth call that is %s shows no secret', async (_, reply) => {
  const { oauth } = await clientOf(() => reply, { ...app, retries: 0 })
  const body = { grant_type: 'refresh_token', refresh_token: 'srt_hidden' } as const
  const printed = inspect(await oauth.token({ body }).catch((error) => error), { depth: 9 })
  expect(printed).toContain('Error')
  for (const secret of [app.clientSecret, basic, 'srt_hidden'])
    expect(printed).not.toContain(secret)
})

test('createClient refuses credentials that do not fit in a header, without showing them', () => {
  const baseUrl = 'https://x.test'
  for (const clientId of ['', 'a:b', 'a b', 'ä', 'a\n']) {
    expect(() => createClient({ baseUrl, clientId })).toThrow('clientId must')
  }
  const clientSecret = 'very secret'
  expect(() => createClient({ baseUrl, clientId: 'a', clientSecret })).toThrow(
    /^clientSecret must consist of letters, digits, "_" and "-"\.$/,
  )
  expect(() => createClient({ baseUrl, clientSecret: 'b' })).toThrow('requires clientId')
  expect(() => createClient({ baseUrl, authUrl: 'auth.test' })).toThrow('authUrl must')
  expect(() => createClient({ baseUrl, apiUrl: 'ftp://api.test' })).toThrow('apiUrl must')
})

test.each([
  ['a text', 'sat_1'],
  ['a function', () => 'sat_1'],
  ['an async function', async () => 'sat_1'],
  ['a token source', { getToken: async () => 'sat_1' }],
])('a platform call accepts the access token as %s', async (_, accessToken) => {
  const { platform, received } = await clientOf(() => ({ body: user }), { accessToken })
  expect(await platform.users.get({ params })).toEqual(user)
  expect(received[0]?.headers.authorization).toBe('Bearer sat_1')
})

test('a platform call is sent once more with another token if the API refuses the first', async () => {
  const { baseUrl, received } = await serve(({ headers }) =>
    headers.authorization === 'Bearer sat_2' ? { body: user } : refused,
  )
  const refusals: unknown[] = []
  const getToken = async (refused?: string) => {
    refusals.push(refused)
    return refused ? 'sat_2' : 'sat_1'
  }
  const { platform } = createClient({ baseUrl, accessToken: { getToken } })
  expect(await platform.users.get({ params })).toEqual(user)
  expect(refusals).toEqual([undefined, 'sat_1'])
  expect(received).toHaveLength(2)
})

test('a platform call is not sent again without another token, nor a third time', async () => {
  const { baseUrl, received } = await serve(() => refused)
  const fixed = createClient({ baseUrl, accessToken: 'sat_1' }).platform
  await expect(fixed.users.get({ params })).rejects.toMatchObject({ number: 124, status: 401 })
  expect(received).toHaveLength(1)
  let n = 0
  const other = createClient({ baseUrl, accessToken: () => `sat_${n++}` }).platform
  await expect(other.users.get({ params })).rejects.toMatchObject({ number: 124 })
  expect(received).toHaveLength(3)
})
