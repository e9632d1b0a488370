import { createHash } from 'node:crypto'
import {
  authorizationCode,
  CallbackError,
  IssuerMismatchError,
  StateMismatchError,
  TokenStoreError,
} from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import {
  type AuthorizationCodeOptions,
  authorizationCodeOn,
} from '../../../client-sdk/src/oauth/authorization-code.ts'
import { type Received, type Reply, serve } from './fixture.ts'
import {
  app,
  formOf,
  grantAnswer,
  sleepingClock,
  storedTokens,
  watchedStore,
} from './oauth-fixture.ts'

const redirectUri = 'http://127.0.0.1:8090/callback'

async function flowOf(
  options: Partial<AuthorizationCodeOptions> = {},
  reply: (request: Received, count: number) => Reply = (_, count) => grantAnswer(count),
) {
  const { baseUrl, received } = await serve(reply)
  const clock = sleepingClock()
  const flow = authorizationCodeOn(clock, {
    authUrl: `${baseUrl}/`,
    ...app,
    redirectUri,
    ...options,
  })
  return { flow, clock, received, authUrl: baseUrl }
}

describe('starting a user authorization', () => {
  test('start returns the authorization address with state and the S256 challenge of the verifier', async () => {
    const { flow, authUrl, received } = await flowOf()
    const { url, state, codeVerifier } = await flow.start({
      scope: ['user:read:user', 'meeting:read:list_meetings'],
      optionalScope: 'meeting:write:meeting',
      includeGrantedScopes: true,
    })
    const { origin, pathname, searchParams } = new URL(url)
    expect(origin + pathname).toBe(`${authUrl}/oauth/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'user:read:user meeting:read:list_meetings',
      optional_scope: 'meeting:write:meeting',
      include_granted_scopes: 'true',
    })
    expect(codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(received).toEqual([])
  })
})

describe('finishing a user authorization', () => {
  test('finish works for a public client, and accepts a callback without an origin', async () => {
    const { flow, received } = await flowOf({ clientSecret: undefined })
    const pending = await flow.start()
    await flow.finish(`/callback?code=sac_1&state=${pending.state}`, pending)
    expect(received[0]?.headers.authorization).toBeUndefined()
    expect(received[0] && formOf(received[0])).toMatchObject({ client_id: app.clientId })
  })

  test.each([
    ['another state', 'state=forged&code=sac_1'],
    ['no state', 'code=sac_1'],
    ['a refusal and another state', 'state=forged&error=access_denied'],
  ])('finish refuses a callback with %s, and sends nothing', async (_, answer) => {
    const { flow, received } = await flowOf()
    const call = flow.finish(`${redirectUri}?${answer}`, await flow.start())
    await expect(call).rejects.toThrow(StateMismatchError)
    await expect(call).rejects.toThrow(CallbackError)
    expect(received).toEqual([])
  })

  test.each(['', '&code=', '&code=a&code=b', '&code=a&state=x'])(
    'finish refuses a callback with the state and the parameters "%s"',
    async (rest) => {
      const { flow, received } = await flowOf()
      const pending = await flow.start()
      const call = flow.finish(`${redirectUri}?state=${pending.state}${rest}`, pending)
      await expect(call).rejects.toThrow(CallbackError)
      expect(received).toEqual([])
    },
  )

  test('finish accepts only the iss of its service', async () => {
    const { flow, authUrl, received } = await flowOf()
    const pending = await flow.start()
    const finish = (iss: string) => {
      const answer = new URLSearchParams({ state: pending.state, code: 'sac_1', iss })
      return flow.finish(`${redirectUri}?${answer}`, pending)
    }
    await expect(finish('https://evil.test')).rejects.toThrow(IssuerMismatchError)
    await expect(finish('')).rejects.toThrow(IssuerMismatchError)
    expect(received).toEqual([])
    expect(await (await finish(authUrl)).getToken()).toBe('sat_1')
  })

  test('finish exchanges a code once even if the callback comes twice, since a second use ends the grant', async () => {
    const { flow, received } = await flowOf()
    const pending = await flow.start()
    const finish = () => flow.finish(`${redirectUri}?code=sac_1&state=${pending.state}`, pending)
    const [one, two] = await Promise.all([finish(), finish()])
    expect(one).toBe(two)
    // A reload of the page does this later.
    expect(await finish()).toBe(one)
    expect(received).toHaveLength(1)
  })

  test('finish throws TokenStoreError if the tokens cannot be saved, and saves them when called again', async () => {
    const store = watchedStore()
    const { flow, received } = await flowOf({ store })
    const pending = await flow.start()
    const finish = () => flow.finish(`${redirectUri}?code=sac_1&state=${pending.state}`, pending)
    store.failing = true
    await expect(finish()).rejects.toThrow(TokenStoreError)
    store.failing = false
    expect(await (await finish()).getToken()).toBe('sat_1')
    expect(store.kept).toMatchObject({ refreshToken: 'srt_1' })
    expect(received).toHaveLength(1)
  })
})

describe('resuming a user authorization', () => {
  test('resume returns the stored tokens, or undefined, and throws TokenStoreError if the store fails', async () => {
    const store = watchedStore()
    const { flow, clock, received } = await flowOf({ store })
    expect(await flow.resume()).toBeUndefined()
    store.kept = storedTokens(4, clock.now())
    expect(await (await flow.resume())?.getToken()).toBe('sat_4')
    expect(received).toEqual([])
    expect(await (await flowOf()).flow.resume()).toBeUndefined()
    store.load = async () => {
      throw new Error('No such database.')
    }
    await expect(flow.resume()).rejects.toThrow(TokenStoreError)
  })
})

test('authorizationCode refuses an invalid authUrl or redirectUri', () => {
  expect(() => authorizationCode({ authUrl: 'auth.test', ...app, redirectUri })).toThrow('authUrl')
  const authUrl = 'https://auth.test'
  expect(() => authorizationCode({ authUrl, ...app, redirectUri: '/callback' })).toThrow(
    'redirectUri',
  )
})
