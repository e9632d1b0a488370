import { accountToken, ConnectionError, type TokenSource } from '@skillpass/client'
import { expect, test } from 'vitest'
import { type Received, type Reply, serve } from './fixture.ts'
import { app, formOf, sleepingClock, tokenResponse } from './oauth-fixture.ts'

const accountId = 'account-1'

/** Creates an account token source. By default, its service returns a new token each time. */
async function source(
  reply: (request: Received, count: number) => Reply = (_, count) => tokenResponse(count),
) {
  const { baseUrl, received } = await serve(reply)
  const clock = sleepingClock()
  const tokens = accountToken({ authUrl: baseUrl, ...app, accountId }, clock)
  return { tokens, clock, received, baseUrl }
}

const together = (tokens: TokenSource, count: number, refused?: string) =>
  Promise.all(Array.from({ length: count }, () => tokens.getToken(refused)))

test('an account token is requested once for all callers, and again in its last minute or after a refusal', async () => {
  const { tokens, clock, received } = await source()
  expect(new Set(await together(tokens, 50))).toEqual(new Set(['sat_1']))
  clock.advance(3_539_000)
  expect(await tokens.getToken()).toBe('sat_1')
  clock.advance(1_000)
  expect(new Set(await together(tokens, 20))).toEqual(new Set(['sat_2']))
  expect(new Set(await together(tokens, 20, 'sat_2'))).toEqual(new Set(['sat_3']))
  expect(await tokens.getToken('sat_2')).toBe('sat_3')
  expect(received).toHaveLength(3)
})

test('an account token is used in its last minute if the service cannot be reached', async () => {
  const { tokens, clock } = await source((_, count) =>
    count === 1 ? tokenResponse(1) : { breakOff: true },
  )
  await tokens.getToken()
  clock.advance(3_599_000)
  expect(await tokens.getToken()).toBe('sat_1')
  await expect(tokens.getToken('sat_1')).rejects.toThrow(ConnectionError)
  clock.advance(1_000)
  await expect(tokens.getToken()).rejects.toThrow(ConnectionError)
})

test('revoke ends an account token, and the next call requests another', async () => {
  const { tokens, received } = await source(({ url }, count) =>
    url === '/oauth/revoke' ? { body: { status: 'success' } } : tokenResponse(count),
  )
  await tokens.revoke()
  expect(received).toHaveLength(0)
  await tokens.getToken()
  await tokens.revoke()
  expect(received[1] && formOf(received[1])).toEqual({ token: 'sat_1' })
  expect(await tokens.getToken()).toBe('sat_3')
})
