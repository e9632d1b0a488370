import { inspect } from 'node:util'
import { ConnectionError, createClient, UnexpectedResponseError } from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { createClientOn } from '../../../client-sdk/src/client.ts'
import { clientOf, type Reply, serve } from './fixture.ts'
import { app, basic, formOf, refusal, sleepingClock, tokenAnswer } from './oauth-fixture.ts'

const params = { userId: 'me' }
const user = {
  id: 'b1a6c1d2-7c1e-4b0a-9f6a-8a1c2d3e4f50',
  account_id: 'b1a6c1d2-7c1e-4b0a-9f6a-8a1c2d3e4f51',
  email: 'olga@testAccounts.test',
  first_name: 'Olga',
  last_name: 'Owner',
  display_name: 'Olga Owner',
  role_name: 'Owner',
  status: 'active',
  created_at: '2026-11-21T09:30:00.000Z',
  last_login_time: null,
  account_name: 'Acme',
  type: 1,
  pmi: 4_812_345_678,
  timezone: 'UTC',
  language: 'en-US',
  dept: '',
  company: '',
  job_title: '',
  location: '',
  pic_url: '',
  verified: 1,
  personal_meeting_url: 'https://auth.example.com/meetings/4812345678',
}
const refused = { status: 401, body: { code: 124, message: 'Access token is expired.' } }
const body = { grant_type: 'client_credentials' } as const

describe('a call as an app', () => {
  test('signs in with Basic and sends a form', async () => {
    const { oauth, received } = await clientOf(() => tokenAnswer(1), { ...app })
    const answer = await oauth.token({ body: { ...body, scope: 'imchat:bot user:read' } })
    expect(answer.access_token).toBe('sat_1')
    expect(received[0]?.headers).toMatchObject({
      authorization: basic,
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(received[0]?.url).toBe('/oauth/token')
    expect(received[0]?.body).toBe('grant_type=client_credentials&scope=imchat%3Abot+user%3Aread')
  })

  test('takes a form that is ready, and leaves out what is undefined', async () => {
    const { oauth, received } = await clientOf(() => tokenAnswer(1), { ...app })
    await oauth.token({ body: 'grant_type=client_credentials' })
    await oauth.token({ body: { ...body, scope: undefined } })
    expect(received.map(({ body }) => body)).toEqual(Array(2).fill('grant_type=client_credentials'))
  })

  test('of a public client names the app in the form, without a header', async () => {
    const { oauth, received } = await clientOf(() => ({ body: { status: 'success' } }), {
      clientId: app.clientId,
    })
    await oauth.revoke({ body: { token: 'sat_1' } })
    expect(received[0]?.headers.authorization).toBeUndefined()
    expect(received[0] && formOf(received[0])).toEqual({ token: 'sat_1', client_id: app.clientId })
  })

  test('sends each secret to its own address and only where a route asks for it', async () => {
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
    await client.registry.skills.trending()
    await client.oauth.introspect({ body: { token: 'sat_1' } })
    await client.oauth.metadata().catch(() => {})
    await client.platform.users.get({ params })
    expect(registry.received.map(({ headers }) => headers.authorization)).toEqual([undefined])
    expect(auth.received.map(({ headers }) => headers.authorization)).toEqual([basic, undefined])
    expect(api.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/base/v2/users/me', 'Bearer sat_1'],
    ])
  })

  test('never follows a redirect, which would carry secrets elsewhere', async () => {
    const elsewhere = await serve(() => tokenAnswer(1))
    const location = `${elsewhere.baseUrl}/oauth/token`
    const { oauth } = await clientOf(() => ({ status: 307, headers: { location } }), { ...app })
    await expect(oauth.token({ body })).rejects.toThrow(UnexpectedResponseError)
    expect(elsewhere.received).toEqual([])
  })

  test('is not repeated after a broken connection, except revoke and introspect', async () => {
    const { baseUrl, received } = await serve(() => ({ breakOff: true }))
    const { oauth } = createClientOn(sleepingClock(), { baseUrl, ...app, retries: 1 })
    await expect(oauth.token({ body })).rejects.toThrow(ConnectionError)
    expect(received).toHaveLength(1)
    await expect(oauth.device({ body: {} })).rejects.toThrow(ConnectionError)
    expect(received).toHaveLength(2)
    await expect(oauth.revoke({ body: { token: 'sat_1' } })).rejects.toThrow(ConnectionError)
    expect(received).toHaveLength(4)
    await expect(oauth.introspect({ body: { token: 'sat_1' } })).rejects.toThrow(ConnectionError)
    expect(received).toHaveLength(6)
  })

  test.each<[string, Reply]>([
    ['refused', refusal('invalid_client')],
    ['broken off', { breakOff: true }],
    ['answered by a proxy', { status: 502, body: 'Bad gateway' }],
    ['redirected', { status: 307, headers: { location: '/elsewhere' } }],
  ])('that is %s shows no secret in its error', async (_, reply) => {
    const { oauth } = await clientOf(() => reply, { ...app, retries: 0 })
    const body = { grant_type: 'refresh_token', refresh_token: 'srt_hidden' } as const
    const shown = inspect(await oauth.token({ body }).catch((error) => error), { depth: 9 })
    expect(shown).toContain('Error')
    for (const secret of [app.clientSecret, basic, 'srt_hidden'])
      expect(shown).not.toContain(secret)
  })

  test('needs credentials that can stand in a header, and does not show those that cannot', () => {
    const baseUrl = 'https://x.test'
    for (const clientId of ['', 'a:b', 'a b', 'ä', 'a\n']) {
      expect(() => createClient({ baseUrl, clientId })).toThrow('clientId must')
    }
    const clientSecret = 'very secret'
    expect(() => createClient({ baseUrl, clientId: 'a', clientSecret })).toThrow(
      /^clientSecret must consist of letters, digits, "_" and "-"\.$/,
    )
    expect(() => createClient({ baseUrl, clientSecret: 'b' })).toThrow('needs a clientId')
    expect(() => createClient({ baseUrl, authUrl: 'auth.test' })).toThrow('authUrl must')
    expect(() => createClient({ baseUrl, apiUrl: 'ftp://api.test' })).toThrow('apiUrl must')
  })
})

describe('a call with an access token', () => {
  test.each([
    ['a text', 'sat_1'],
    ['a function', () => 'sat_1'],
    ['a function that gives a promise', async () => 'sat_1'],
    ['a source', { getToken: async () => 'sat_1' }],
  ])('takes it from %s', async (_, accessToken) => {
    const { platform, received } = await clientOf(() => ({ body: user }), { accessToken })
    expect(await platform.users.get({ params })).toEqual(user)
    expect(received[0]?.headers.authorization).toBe('Bearer sat_1')
  })

  test('is sent once more with another token where the API refuses the first', async () => {
    const { baseUrl, received } = await serve(({ headers }) =>
      headers.authorization === 'Bearer sat_2' ? { body: user } : refused,
    )
    const asked: unknown[] = []
    const getToken = async (refused?: string) => {
      asked.push(refused)
      return refused ? 'sat_2' : 'sat_1'
    }
    const { platform } = createClient({ baseUrl, accessToken: { getToken } })
    expect(await platform.users.get({ params })).toEqual(user)
    expect(asked).toEqual([undefined, 'sat_1'])
    expect(received).toHaveLength(2)
  })

  test('is not sent again where there is no other token, nor a third time', async () => {
    const { baseUrl, received } = await serve(() => refused)
    const fixed = createClient({ baseUrl, accessToken: 'sat_1' }).platform
    await expect(fixed.users.get({ params })).rejects.toMatchObject({ number: 124, status: 401 })
    expect(received).toHaveLength(1)
    let n = 0
    const other = createClient({ baseUrl, accessToken: () => `sat_${n++}` }).platform
    await expect(other.users.get({ params })).rejects.toMatchObject({ number: 124 })
    expect(received).toHaveLength(3)
  })

  test('throws what the source throws, and the reason of an abort while it waits', async () => {
    const { baseUrl, received } = await serve(() => ({ body: user }))
    const failure = new Error('No token today.')
    const failing = createClient({ baseUrl, accessToken: () => Promise.reject(failure) })
    await expect(failing.platform.users.get({ params })).rejects.toBe(failure)
    const endless = createClient({ baseUrl, accessToken: () => new Promise<string>(() => {}) })
    const controller = new AbortController()
    const call = endless.platform.users.get({ params, signal: controller.signal })
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
    expect(received).toEqual([])
  })

  test('leaves an authorization header of the caller alone', async () => {
    const { platform, received } = await clientOf(() => ({ body: user }), { accessToken: 'sat_1' })
    await platform.users.get({ params, headers: { authorization: 'Bearer sat_own' } })
    expect(received[0]?.headers.authorization).toBe('Bearer sat_own')
  })
})

describe('the types', () => {
  test('follow the contract', () => {
    const { oauth, platform } = createClient({ baseUrl: 'https://x.test' })
    const never = () => [
      // @ts-expect-error the account is needed
      oauth.token({ body: { grant_type: 'account_credentials' } }),
      // @ts-expect-error no such grant type
      oauth.token({ body: { grant_type: 'password' } }),
      // @ts-expect-error a token is needed
      oauth.revoke({ body: {} }),
      // @ts-expect-error an id is needed
      platform.users.get(),
    ]
    expect(never).toBeTypeOf('function')
  })
})
