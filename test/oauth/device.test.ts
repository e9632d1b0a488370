import { describe, expect, test } from 'vitest'
import { addUser, password } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import {
  atOnce,
  authUrl,
  refusal,
  startOAuthServer,
  startSecondNode,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { roundsOf } from '../support/rounds.ts'

const invalid = '400 invalid_grant'

describe.each(engines)('device codes on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const stranger = server.app('Stranger')
  const ask = async () => {
    const answer = await server.deviceCodeOf(scheduler)
    expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
    const { device_code, user_code } = answer.body
    return { answer, deviceCode: String(device_code), userCode: String(user_code) }
  }
  const signedIn = (email: string) => signIn(server, { email, password })
  const member = await signedIn('member@acme.test')
  /** Enters a code and decides. Returns the decision that the last page shows, or its status. */
  const decide = async (code: string, decision = 'allow', session = member) => {
    const action = '/oauth/device/decision'
    let page = await session.fill('/oauth_device', '/oauth_device', { code })
    let html = await page.text()
    if (html.includes(action)) {
      page = await session.submit(html, action, { decision })
      html = await page.text()
    }
    if (html.includes('<h1>You can go back to your device')) return 'allowed'
    return html.includes('<h1>You denied the device') ? 'denied' : page.status
  }
  const pollOnce = async (deviceCode: string, seconds: number) => {
    server.clock.advance(seconds * 1000)
    return refusal(await server.poll(scheduler, deviceCode))
  }

  test('a device code response has a user code, the configured addresses, a lifetime and an interval', async () => {
    const { answer, userCode } = await ask()
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(answer.body).toEqual({
      device_code: answer.body.device_code,
      user_code: userCode,
      verification_uri: `${authUrl}/oauth_device`,
      verification_uri_complete: `${authUrl}/oauth/device/complete/${userCode}`,
      expires_in: 900,
      interval: 5,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('exactly one of several concurrent decisions counts', async () => {
    const { deviceCode, userCode } = await ask()
    const decisions = await atOnce(8, (i) => decide(userCode, i % 2 ? 'deny' : 'allow'))
    const [first] = decisions
    expect(new Set(decisions)).toEqual(new Set([first]))
    const { status } = await server.poll(scheduler, deviceCode)
    expect(status).toBe(first === 'allowed' ? 200 : 400)
  })

  test('only one of 20 concurrent exchanges of a device code succeeds', async () => {
    const node = await startSecondNode(server)
    for (let round = 0; round < roundsOf(1); round++) {
      const { deviceCode, userCode } = await ask()
      await decide(userCode)
      const answers = await atOnce(20, (i) => (i % 2 ? node : server).poll(scheduler, deviceCode))
      expect(tally(answers.map(refusal))).toEqual({ '200 none': 1, [invalid]: 19 })
      const [good] = answers.filter(({ status }) => status === 200).map(tokensOf)
      expect(good?.scope).toBe('user:read:user meeting:read:list_meetings')
      expect(good?.refresh_token).toMatch(/^srt_/)
      expect((await server.me(good?.access_token)).status).toBe(200)
    }
  })

  test('each early poll adds five seconds to the interval of that device code only', async () => {
    const { deviceCode } = await ask()
    expect(await pollOnce(deviceCode, 0)).toBe('400 authorization_pending')
    for (let i = 0; i < 3; i++) expect(await pollOnce(deviceCode, 0.1)).toBe('400 slow_down')
    // 5 s plus 5 s for each of three early polls.
    expect(await pollOnce(deviceCode, 19.9)).toBe('400 slow_down')
    expect(await pollOnce(deviceCode, 25)).toBe('400 authorization_pending')
    expect(await pollOnce(deviceCode, 25)).toBe('400 authorization_pending')
    const { deviceCode: other } = await ask()
    expect(await pollOnce(other, 0)).toBe('400 authorization_pending')
    expect(await pollOnce(other, 5)).toBe('400 authorization_pending')
  })

  test('a guessed device code and one of another app get the same error', async () => {
    const { deviceCode, userCode } = await ask()
    const guesses = ['guess', `${deviceCode}x`, userCode]
    const foreign = await server.poll(stranger, deviceCode)
    expect(refusal(foreign)).toBe(invalid)
    for (const guess of guesses) {
      expect((await server.poll(scheduler, guess)).text).toBe(foreign.text)
    }
    const development = server.app('Scheduler', 'development')
    expect(refusal(await server.poll(development, deviceCode))).toBe(invalid)
    await decide(userCode)
    expect(refusal(await server.poll(stranger, deviceCode))).toBe(invalid)
    tokensOf(await server.poll(scheduler, deviceCode))
    const redeemed = await server.poll(stranger, deviceCode)
    expect(redeemed.text).toBe(foreign.text)
  })

  test('a device code that is allowed after it expired is refused', async () => {
    const { deviceCode, userCode } = await ask()
    await decide(userCode)
    expect(await pollOnce(deviceCode, 901)).toBe('400 expired_token')
    const late = await ask()
    server.clock.advance(900_000)
    expect(await decide(late.userCode)).toBe(400)
  })

  test('a device code requires an enabled app with the device flow', async () => {
    const refused = async (name: string) =>
      refusal(await server.post('/oauth/devicecode', {}, { app: server.app(name) }))
    for (const name of ['Private', 'Reporter', 'Helper bot']) {
      expect(await refused(name)).toBe('400 unauthorized_client')
    }
    expect(await refused('Off')).toBe('400 unauthorized_client 4717')
  })

  const wrongCodes = async (count: number, email: string) => {
    const [session, statuses] = [await signedIn(email), [] as unknown[]]
    for (let i = 0; i < count; i++) statuses.push(await decide('BCDF-GHJK', 'allow', session))
    return statuses
  }
  const email = 'admin@acme.test'

  test("50 wrong user codes lock a client address, but one user's wrong codes do not", async () => {
    server.clock.advance(900_000)
    expect(await wrongCodes(7, email)).toEqual([...Array(5).fill(400), 429, 429])
    const { userCode } = await ask()
    expect(await decide(userCode)).toBe('allowed')
    for (const typist of Array.from({ length: 10 }, (_, i) => `typist${i}@acme.test`)) {
      await addUser(server, typist)
      await wrongCodes(5, typist)
    }
    const late = await ask()
    expect(await decide(late.userCode)).toBe(429)
    server.clock.advance(900_000)
    const later = await ask()
    expect(await decide(later.userCode)).toBe('allowed')
  })
})

test('a user code has eight of twenty consonants, evenly distributed', async () => {
  const server = await startOAuthServer()
  const answers = await atOnce(250, () => server.deviceCodeOf(server.app('Scheduler')))
  const codes = answers.map(({ body }) => String(body.user_code).replace('-', ''))
  expect(new Set(codes).size).toBe(250)
  for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
  const counts = Object.values(tally([...codes.join('')]))
  expect(counts).toHaveLength(20)
  // Expected: 100 each. The tolerance is eight standard deviations.
  for (const count of counts) expect(Math.abs(count - 100)).toBeLessThan(80)
})
