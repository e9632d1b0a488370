import {
  DeviceCodeExpiredError,
  type DeviceFlowOptions,
  deviceFlow,
  OAuthRequestError,
} from '@skillpass/client'
import { expect, test } from 'vitest'
import { example, type Reply, serve } from './fixture.ts'
import { app, errorResponse, grantResponse, sleepingClock } from './oauth-fixture.ts'

const codes: Reply = { body: example('oauth.device') }
const pending = errorResponse('authorization_pending')
const slowDown = errorResponse('slow_down')
const broken: Reply = { breakOff: true }

/** Creates a flow whose polls receive these responses; the last one is repeated. */
async function flowOf(polls: Reply[], options: Partial<DeviceFlowOptions> = {}) {
  const { baseUrl, received } = await serve(({ url }, count) =>
    url === '/oauth/devicecode' ? codes : (polls[count - 2] ?? polls.at(-1) ?? pending),
  )
  const clock = sleepingClock()
  const flow = deviceFlow({ authUrl: baseUrl, ...app, ...options }, clock)
  return { flow, clock, received }
}

test('the device flow waits 5 seconds longer after each slow_down, and keeps to that interval', async () => {
  const { flow, clock } = await flowOf([slowDown, pending, slowDown, pending, grantResponse(1)])
  await (await flow.start()).wait()
  expect(clock.sleeps).toEqual([5000, 10_000, 10_000, 15_000, 15_000])
})

test('the device flow waits longer and longer while the service cannot be reached, then polls as before', async () => {
  const gateway: Reply = { status: 502, body: 'Bad gateway' }
  const { flow, clock } = await flowOf([
    broken,
    errorResponse('temporarily_unavailable'),
    gateway,
    broken,
    pending,
    grantResponse(1),
  ])
  await (await flow.start()).wait()
  expect(clock.sleeps).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 5000])
})

test('the device flow ends if the app was disabled', async () => {
  const { flow, received } = await flowOf([pending, errorResponse('app_disabled')])
  await expect((await flow.start()).wait()).rejects.toThrow(OAuthRequestError)
  expect(received).toHaveLength(3)
})

test('the device flow ends after the lifetime of its code, even if the service is never reached', async () => {
  const { flow, clock } = await flowOf([broken])
  const started = clock.now()
  await expect((await flow.start()).wait()).rejects.toThrow(DeviceCodeExpiredError)
  expect(clock.now() - started).toBeGreaterThanOrEqual(900_000)
  expect(clock.now() - started).toBeLessThan(960_000)
})
