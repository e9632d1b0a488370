import {
  AccessDeniedError,
  DeviceCodeExpiredError,
  OAuthRequestError,
  TokenStoreError,
} from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { type DeviceFlowOptions, deviceFlowOn } from '../../../client-sdk/src/oauth/device-flow.ts'
import { type Reply, serve } from './fixture.ts'
import {
  app,
  basic,
  formOf,
  grantAnswer,
  refusal,
  sleepingClock,
  storedTokens,
  watchedStore,
} from './oauth-fixture.ts'

const codes: Reply = {
  body: {
    device_code: 'sdc_1',
    user_code: 'BCDF-GHJK',
    verification_uri: 'https://auth.test/oauth_device',
    verification_uri_complete: 'https://auth.test/oauth/device/complete/BCDF-GHJK',
    expires_in: 900,
    interval: 5,
  },
}
const pending = refusal('authorization_pending')
const slowDown = refusal('slow_down')
const broken: Reply = { breakOff: true }

/** A flow whose polls are answered so, the last answer for ever. */
async function flowOf(polls: Reply[], options: Partial<DeviceFlowOptions> = {}) {
  const { baseUrl, received } = await serve(({ url }, count) =>
    url === '/oauth/devicecode' ? codes : (polls[count - 2] ?? polls.at(-1) ?? pending),
  )
  const clock = sleepingClock()
  const flow = deviceFlowOn(clock, { authUrl: baseUrl, ...app, ...options })
  return { flow, clock, received }
}

describe('a device authorization', () => {
  test('shows the codes, and polls with the device code until the user has allowed it', async () => {
    const { flow, clock, received } = await flowOf([pending, pending, grantAnswer(1)], {
      scope: 'user:read:user',
    })
    const device = await flow.start()
    expect(device).toMatchObject({
      userCode: 'BCDF-GHJK',
      verificationUri: 'https://auth.test/oauth_device',
      verificationUriComplete: 'https://auth.test/oauth/device/complete/BCDF-GHJK',
      expiresIn: 900,
    })
    const tokens = await device.wait()
    expect(await tokens.getToken()).toBe('sat_1')
    expect(clock.sleeps).toEqual([5000, 5000, 5000])
    expect(received[0] && formOf(received[0])).toEqual({ scope: 'user:read:user' })
    expect(received[0]?.headers.authorization).toBe(basic)
    expect(received[1] && formOf(received[1])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'sdc_1',
    })
  })

  test('waits 5 seconds longer with each slow_down, and keeps to it', async () => {
    const { flow, clock } = await flowOf([slowDown, pending, slowDown, pending, grantAnswer(1)])
    await (await flow.start()).wait()
    expect(clock.sleeps).toEqual([5000, 10_000, 10_000, 15_000, 15_000])
  })

  test('keeps the longer interval after an abort too', async () => {
    const { flow, clock } = await flowOf([slowDown, pending, grantAnswer(1)])
    const device = await flow.start()
    const controller = new AbortController()
    const sleep = clock.sleep
    clock.sleep = async (ms, signal) => {
      await sleep(ms, signal)
      if (clock.sleeps.length === 2) controller.abort('enough')
    }
    await expect(device.wait({ signal: controller.signal })).rejects.toBe('enough')
    await device.wait()
    expect(clock.sleeps.slice(2)).toEqual([10_000, 10_000])
  })

  test('waits ever longer while the service cannot be reached, then polls as before', async () => {
    const gateway: Reply = { status: 502, body: 'Bad gateway' }
    const { flow, clock } = await flowOf([
      broken,
      refusal('temporarily_unavailable'),
      gateway,
      broken,
      pending,
      grantAnswer(1),
    ])
    await (await flow.start()).wait()
    expect(clock.sleeps).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 5000])
  })

  test('waits as long as Retry-After says', async () => {
    const limited = { ...refusal('too_many_requests'), headers: { 'retry-after': '45' } }
    const { flow, clock } = await flowOf([limited, grantAnswer(1)])
    await (await flow.start()).wait()
    expect(clock.sleeps).toEqual([5000, 45_000])
  })

  test.each([
    ['the user said no', 'access_denied', AccessDeniedError],
    ['the code is too old', 'expired_token', DeviceCodeExpiredError],
    ['the app was disabled', 'app_disabled', OAuthRequestError],
  ] as const)('ends where %s', async (_, name, type) => {
    const { flow, received } = await flowOf([pending, refusal(name)])
    await expect((await flow.start()).wait()).rejects.toThrow(type)
    expect(received).toHaveLength(3)
  })

  test('ends after its time, even where the service is never reached', async () => {
    const { flow, clock } = await flowOf([broken])
    const started = clock.now()
    await expect((await flow.start()).wait()).rejects.toThrow(DeviceCodeExpiredError)
    expect(clock.now() - started).toBeGreaterThanOrEqual(900_000)
    expect(clock.now() - started).toBeLessThan(960_000)
  })

  test('that is aborted before it polls sends nothing', async () => {
    const { flow, received } = await flowOf([])
    const device = await flow.start()
    await expect(device.wait({ signal: AbortSignal.abort('no') })).rejects.toBe('no')
    expect(received).toHaveLength(1)
  })

  test('surfaces tokens that could not be saved; waiting again saves them', async () => {
    const store = watchedStore()
    const { flow, received } = await flowOf([grantAnswer(1)], { store })
    const device = await flow.start()
    store.failing = true
    await expect(device.wait()).rejects.toThrow(TokenStoreError)
    store.failing = false
    expect(await (await device.wait()).getToken()).toBe('sat_1')
    expect(received).toHaveLength(2)
  })

  test('of a public client names the app in the form', async () => {
    const { flow, received } = await flowOf([grantAnswer(1)], { clientSecret: undefined })
    await (await flow.start()).wait()
    for (const request of received) {
      expect(formOf(request)).toMatchObject({ client_id: app.clientId })
      expect(request.headers.authorization).toBeUndefined()
    }
  })

  test('resumes with what the store has, or with nothing', async () => {
    const store = watchedStore()
    const { flow, clock, received } = await flowOf([], { store })
    expect(await flow.resume()).toBeUndefined()
    store.kept = storedTokens(4, clock.now())
    expect(await (await flow.resume())?.getToken()).toBe('sat_4')
    expect(received).toEqual([])
  })
})
