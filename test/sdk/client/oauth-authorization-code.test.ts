import { createHash } from 'node:crypto'
import {
  type AuthorizationCodeOptions,
  authorizationCode,
  CallbackError,
  IssuerMismatchError,
  StateMismatchError,
  TokenStoreError,
} from '@skillpass/client'
import { expect, test } from 'vitest'
import { type Received, type Reply, serve } from './fixture.ts'
import { app, grantResponse, recordingStore, sleepingClock } from './oauth-fixture.ts'

const redirectUri = 'http://127.0.0.1:8090/callback'

async function flowOf(
  options: Partial<AuthorizationCodeOptions> = {},
  reply: (request: Received, count: number) => Reply = (_, count) => grantResponse(count),
) {
  const { baseUrl, received } = await serve(reply)
  const clock = sleepingClock()
  const flow = authorizationCode({ authUrl: `${baseUrl}/`, ...app, redirectUri, ...options }, clock)
  return { flow, clock, received, authUrl: baseUrl }
}

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

test.each([
  ['?state=forged&code=sac_1', StateMismatchError],
  ['?code=sac_1', StateMismatchError],
  ['?state=forged&error=access_denied', StateMismatchError],
  ['?state=STATE', CallbackError],
  ['?state=STATE&code=a&code=b', CallbackError],
  ['?state=STATE&code=a&state=x', CallbackError],
])('finish refuses the callback %s, and sends nothing', async (answer, type) => {
  const { flow, received } = await flowOf()
  const pending = await flow.start()
  const call = flow.finish(redirectUri + answer.replace('STATE', pending.state), pending)
  await expect(call).rejects.toThrow(type)
  await expect(call).rejects.toThrow(CallbackError)
  expect(received).toEqual([])
})

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

test('finish exchanges a code once even if the callback is repeated, since a second use revokes the grant', async () => {
  const { flow, received } = await flowOf()
  const pending = await flow.start()
  const finish = () => flow.finish(`${redirectUri}?code=sac_1&state=${pending.state}`, pending)
  const [one, two] = await Promise.all([finish(), finish()])
  expect(one).toBe(two)
  // A page reload repeats the callback.
  expect(await finish()).toBe(one)
  expect(received).toHaveLength(1)
})

test('finish throws TokenStoreError if the tokens cannot be saved, and saves them when called again', async () => {
  const store = recordingStore()
  const { flow, received } = await flowOf({ store })
  const pending = await flow.start()
  const finish = () => flow.finish(`${redirectUri}?code=sac_1&state=${pending.state}`, pending)
  store.failing = true
  await expect(finish()).rejects.toThrow(TokenStoreError)
  store.failing = false
  expect(await (await finish()).getToken()).toBe('sat_1')
  expect(store.stored).toMatchObject({ refreshToken: 'srt_1' })
  expect(received).toHaveLength(1)
})
