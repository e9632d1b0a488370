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
import { challengeOf } from '../../../client-sdk/src/oauth/pkce.ts'
import { type Received, type Reply, serve } from './fixture.ts'
import {
  app,
  basic,
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
  test('gives the address with state and an S256 challenge of the verifier', async () => {
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

  test('makes the challenge as RFC 7636 Appendix B shows', async () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    expect(await challengeOf(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  })

  test('leaves out what is not asked for, and the secret always', async () => {
    const { flow } = await flowOf()
    const { url } = await flow.start()
    expect([...new URL(url).searchParams.keys()]).not.toContain('scope')
    expect(url).not.toContain(app.clientSecret)
  })

  test('takes a new state and verifier each time, of 256 bits', async () => {
    const { flow } = await flowOf()
    const started = await Promise.all(Array.from({ length: 50 }, () => flow.start()))
    const texts = started.flatMap(({ state, codeVerifier }) => [state, codeVerifier])
    expect(new Set(texts).size).toBe(100)
    for (const text of texts) expect(Buffer.from(text, 'base64url')).toHaveLength(32)
  })
})

describe('finishing a user authorization', () => {
  test('exchanges the code, with the verifier, for tokens that are saved and refresh', async () => {
    const store = watchedStore()
    const { flow, clock, received } = await flowOf({ store })
    const pending = await flow.start()
    const tokens = await flow.finish(`${redirectUri}?code=sac_1&state=${pending.state}`, pending)
    expect(store.kept).toMatchObject({ accessToken: 'sat_1', refreshToken: 'srt_1' })
    expect(await tokens.getToken()).toBe('sat_1')
    clock.advance(3_600_000)
    expect(await tokens.getToken()).toBe('sat_2')
    expect(received[0]?.headers.authorization).toBe(basic)
    expect(received.map(formOf)).toEqual([
      {
        grant_type: 'authorization_code',
        code: 'sac_1',
        redirect_uri: redirectUri,
        code_verifier: pending.codeVerifier,
      },
      { grant_type: 'refresh_token', refresh_token: 'srt_1' },
    ])
  })

  test('works for a public client, and takes the address as a server sees it', async () => {
    const { flow, received } = await flowOf({ clientSecret: undefined })
    const pending = await flow.start()
    await flow.finish(`/callback?code=sac_1&state=${pending.state}`, pending)
    expect(received[0]?.headers.authorization).toBeUndefined()
    expect(received[0] && formOf(received[0])).toMatchObject({ client_id: app.clientId })
  })

  test.each([
    ['another state', { state: 'forged', code: 'sac_1' }],
    ['no state', { code: 'sac_1' }],
    ['a refusal with another state', { state: 'forged', error: 'access_denied' }],
  ])('refuses %s, and sends nothing', async (_, answer) => {
    const { flow, received } = await flowOf()
    const pending = await flow.start()
    const call = flow.finish(`${redirectUri}?${new URLSearchParams(answer)}`, pending)
    await expect(call).rejects.toThrow(StateMismatchError)
    await expect(call).rejects.toThrow(CallbackError)
    expect(received).toEqual([])
  })

  test('refuses an empty state of an app that has lost its own', async () => {
    const { flow, received } = await flowOf()
    const pending = { state: '', codeVerifier: '' }
    const call = flow.finish(`${redirectUri}?code=sac_1&state=`, pending)
    await expect(call).rejects.toThrow(StateMismatchError)
    expect(received).toEqual([])
  })

  test('refuses an answer without a code, and one with two', async () => {
    const { flow, received } = await flowOf()
    const pending = await flow.start()
    for (const rest of ['', '&code=', '&code=a&code=b', '&code=a&state=x']) {
      const call = flow.finish(`${redirectUri}?state=${pending.state}${rest}`, pending)
      await expect(call).rejects.toThrow(CallbackError)
    }
    expect(received).toEqual([])
  })

  test('takes iss of its own service alone', async () => {
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

  test('takes the issuer that it is told', async () => {
    const { flow } = await flowOf({ issuer: 'https://auth.test' })
    const pending = await flow.start()
    const answer = `state=${pending.state}&code=sac_1&iss=https://auth.test`
    await flow.finish(`${redirectUri}?${answer}`, pending)
  })

  test('exchanges the code once where the callback comes twice, since a second use ends the grant', async () => {
    const { flow, received } = await flowOf()
    const pending = await flow.start()
    const finish = () => flow.finish(`${redirectUri}?code=sac_1&state=${pending.state}`, pending)
    const [one, two] = await Promise.all([finish(), finish()])
    expect(one).toBe(two)
    // As a reload of the page does, long after.
    expect(await finish()).toBe(one)
    expect(received).toHaveLength(1)
  })

  test('surfaces tokens that could not be saved; the same call again saves them', async () => {
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
  test('goes on with what the store has, or with nothing', async () => {
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

test('authorizationCode refuses an address that is none', () => {
  expect(() => authorizationCode({ authUrl: 'auth.test', ...app, redirectUri })).toThrow('authUrl')
  const authUrl = 'https://auth.test'
  expect(() => authorizationCode({ authUrl, ...app, redirectUri: '/callback' })).toThrow(
    'redirectUri',
  )
})
