import {
  AuthorizeAgainError,
  ConnectionError,
  createClient,
  TokenStoreError,
} from '@skillpass/client'
import { expect, test } from 'vitest'
import { userToken } from '../../../client-sdk/src/oauth/user-token.ts'
import type { serve } from './fixture.ts'
import {
  app,
  errorResponse,
  formOf,
  recordingStore,
  rotatingService,
  sleepingClock,
  storedTokens,
} from './oauth-fixture.ts'

const hour = 3_600_000

/** Creates a user token source whose store has `srt_0` and an expired access token. */
async function user(service: ReturnType<typeof serve> = rotatingService()) {
  const { baseUrl, received } = await service
  const clock = sleepingClock()
  const store = recordingStore(storedTokens(0, clock.now() - hour))
  const { oauth } = createClient({ baseUrl, ...app }, clock)
  const worker = () => userToken({ clock, oauth, store })
  return { tokens: worker(), worker, clock, store, received }
}

test('an access token is refreshed once in its last minute, with the latest refresh token', async () => {
  const { tokens, clock, received } = await user()
  const many = await Promise.all(Array.from({ length: 30 }, () => tokens.getToken()))
  expect(new Set(many)).toEqual(new Set(['sat_1']))
  clock.advance(hour - 60_000)
  expect(await tokens.getToken()).toBe('sat_2')
  expect(received.map(formOf)).toEqual([
    { grant_type: 'refresh_token', refresh_token: 'srt_0' },
    { grant_type: 'refresh_token', refresh_token: 'srt_1' },
  ])
})

test('a token that cannot be saved is returned to no caller, and is saved later without another refresh', async () => {
  const { tokens, store, received } = await user()
  store.failing = true
  for (const _ of [1, 2]) {
    await expect(tokens.getToken()).rejects.toThrow(TokenStoreError)
  }
  await expect(tokens.getToken()).rejects.toThrow('The disk is full.')
  store.failing = false
  expect(await tokens.getToken()).toBe('sat_1')
  expect(store.stored).toMatchObject({ accessToken: 'sat_1', refreshToken: 'srt_1' })
  expect(received).toHaveLength(1)
})

test('a refresh is not repeated after a broken connection, since a refresh token is valid once', async () => {
  const { tokens, received } = await user(rotatingService(() => ({ breakOff: true })))
  await expect(tokens.getToken()).rejects.toThrow(ConnectionError)
  expect(received).toHaveLength(1)
})

test('an ended grant throws AuthorizeAgainError without a request, until the store has new tokens', async () => {
  const { tokens, store, clock, received } = await user(
    rotatingService(() => errorResponse('grant_ended')),
  )
  await expect(tokens.getToken()).rejects.toThrow(AuthorizeAgainError)
  await expect(tokens.getToken()).rejects.toMatchObject({ number: 4741 })
  expect(received).toHaveLength(1)
  store.stored = storedTokens(9, clock.now())
  expect(await tokens.getToken()).toBe('sat_9')
})

test('revoke ends the grant and clears the store', async () => {
  const { tokens, store, received } = await user()
  await tokens.getToken()
  await tokens.revoke()
  expect(received[1]).toMatchObject({ url: '/oauth/revoke' })
  expect(received[1] && formOf(received[1])).toEqual({ token: 'srt_1' })
  expect(store.stored).toBeUndefined()
  await expect(tokens.getToken()).rejects.toThrow(AuthorizeAgainError)
  await tokens.revoke()
  expect(received).toHaveLength(2)
})

test('a worker whose refresh token was used by another waits for that one to save', async () => {
  const { tokens, clock, store } = await user(rotatingService(() => errorResponse('owner_missing')))
  const sleep = clock.sleep
  clock.sleep = async (ms, signal) => {
    await sleep(ms, signal)
    if (clock.sleeps.length === 3) store.stored = storedTokens(5, clock.now())
  }
  expect(await tokens.getToken()).toBe('sat_5')
  expect(clock.sleeps).toEqual([200, 400, 800])
})

test('a worker whose access token was refused uses the newer one of the store', async () => {
  const { worker, clock, store, received } = await user()
  const late = worker()
  store.stored = storedTokens(3, clock.now())
  await late.getToken()
  store.stored = storedTokens(4, clock.now())
  expect(await late.getToken('sat_3')).toBe('sat_4')
  expect(received).toEqual([])
})
