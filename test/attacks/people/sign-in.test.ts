import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { declare, password } from '../../support/apps.ts'
import { hasChromium, openBrowser } from '../../support/browser.ts'
import { meetingOf } from '../../support/meetings.ts'
import { hiddenFields, openSession, type Session } from '../../support/people.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { stored } from '../secrets/stored.ts'

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
/** Redis remembers the runs of before. */
const run = randomBytes(4).toString('hex')
const people = Array.from({ length: 31 }, (_, i) => ({
  email: `p${i}-${run}@crowd.test`,
  password,
}))
const victim = { email: `victim-${run}@crowd.test`, password }

/** A browser at an address: the proxy in front says which. */
const at = (server: TestServer, address: string): Session =>
  openSession({
    http: (path, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', address)
      return server.http(path, { ...init, headers })
    },
  })

const statusOf = async (
  browser: Session,
  credentials: { email: string; password: string },
): Promise<number> => {
  const html = await (await browser.get('/sign-in')).text()
  return (await browser.post('/sign-in', { ...hiddenFields(html, '/sign-in'), ...credentials }))
    .status
}

const startOAuthServer = async (env: Record<string, string> = {}) => {
  const server = await startTestServer({ env: { TRUST_PROXY: '1', ...env } })
  const users = [...people, victim].map((user) => ({ ...user, role: 'member' as const }))
  const applied = await declare(server, { accounts: [{ name: 'Crowd', users }] })
  return { server, applied }
}

describe('hashing is shared', async () => {
  const { server } = await startOAuthServer()

  test('20 sign-ins at once from one address keep none of 30 others out', async () => {
    const [flooder = victim, ...others] = people
    const flood = Array.from({ length: 20 }, () => statusOf(at(server, '203.0.113.1'), flooder))
    await pause(50)
    const came = await Promise.all(
      others.map((user, i) => statusOf(at(server, `198.51.100.${i + 1}`), user)),
    )
    expect(came).toEqual(others.map(() => 303))
    const flooded = await Promise.all(flood)
    // The one account takes eight of them at once; the rest are told to come back.
    expect(flooded.filter((status) => status === 303).length).toBeGreaterThanOrEqual(8)
    expect(flooded.every((status) => status === 303 || status === 503)).toBe(true)
  })
})

const limiters = [
  ['in memory', {}],
  ['in Redis', { REDIS_URL: redisUrl }],
] as const

describe.each(limiters)('guessing at one target, counted %s', async (_, env) => {
  const { server, applied } = await startOAuthServer(env)
  const target = people[2] ?? victim

  test('200 addresses get ten guesses a minute at an account, and its own known browser still gets in', async () => {
    const own = at(server, '192.0.2.9')
    expect(await statusOf(own, target)).toBe(303)
    const answers: number[] = []
    // Each from a network of its own, a few at a time as a slow botnet has it.
    for (let i = 0; i < 200; i += 4) {
      const guesses = Array.from({ length: 4 }, (_, j) =>
        statusOf(at(server, `10.${i + j}.0.1`), { ...target, password: `guess number ${i + j}` }),
      )
      answers.push(...(await Promise.all(guesses)))
    }
    const answered = answers.filter((status) => status === 400)
    // Two hashes run at once, so one more may be answered than the limit has room for.
    expect(answered.length).toBeGreaterThanOrEqual(10)
    expect(answered.length).toBeLessThanOrEqual(12)
    expect(answers.filter((status) => status === 429).length).toBe(200 - answered.length)

    // A browser that nobody knows has to wait, even with the right password; a known one does not.
    expect(await statusOf(at(server, '192.0.2.10'), target)).toBe(429)
    expect(await statusOf(own, target)).toBe(303)
    // Other people of the account are not concerned.
    expect(await statusOf(at(server, '192.0.2.11'), people[5] ?? victim)).toBe(303)
    // Nor does what a browser keeps for another user, or made up, make it known.
    const stranger = at(server, '192.0.2.12')
    expect(await statusOf(stranger, people[6] ?? victim)).toBe(303)
    expect(await statusOf(stranger, target)).toBe(429)
  })

  test('200 addresses get ten guesses a minute at a meeting, and its host still gets in', async () => {
    const passcode = 'Sesame1'
    const meeting = await meetingOf({ ctx: server.ctx, applied }, victim.email, {
      password: passcode,
      id: randomInt(86_000_000_000, 99_000_000_000),
    })
    const host = at(server, '192.0.2.20')
    expect(await statusOf(host, victim)).toBe(303)
    const guest = at(server, '192.0.2.21')
    expect(await statusOf(guest, people[7] ?? victim)).toBe(303)
    const path = (pwd: string) => `/meetings/${meeting.id}?${new URLSearchParams({ pwd })}`
    const answers: number[] = []
    for (let i = 0; i < 200; i++) {
      answers.push((await at(server, `10.${i}.1.1`).get(path(`wrong${i}`))).status)
    }
    expect(answers.filter((status) => status === 403).length).toBe(10)
    expect(answers.filter((status) => status === 429).length).toBe(190)
    expect((await at(server, '192.0.2.22').get(path(passcode))).status).toBe(429)
    expect((await host.get(`/meetings/${meeting.id}`)).status).toBe(200)
    expect((await guest.get(path(passcode))).status).toBe(200)
  })
})

describe('a known browser', async () => {
  const { server } = await startOAuthServer()
  const open = hasChromium ? await openBrowser() : undefined

  test.skipIf(!open)(
    'is known in Chromium by a cookie that scripts cannot read, and gets in during an attack',
    async () => {
      if (!open) return
      const { page } = await open(`${server.url}/sign-in`)
      const enter = async () => {
        await page.goto(`${server.url}/sign-in`)
        await page.getByLabel('Email').fill(victim.email)
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForURL((url) => url.pathname !== '/sign-in')
      }
      await enter()
      const cookies = await page.context().cookies()
      const kept = cookies.find(({ name }) => name === 'skillpass_browser')
      expect(kept).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
      expect(kept?.expires).toBeGreaterThan(Date.now() / 1000 + 170 * 86_400)
      for (let i = 0; i < 10; i++) {
        await statusOf(at(server, `10.${i}.2.1`), { ...victim, password: `guess number ${i}` })
      }
      expect(await statusOf(at(server, '192.0.2.30'), victim)).toBe(429)
      await page.context().clearCookies({ name: 'skillpass_session' })
      await enter()
      expect(new URL(page.url()).pathname).not.toBe('/sign-in')
    },
    90_000,
  )

  test('is no longer known when the password changes, or when anything of its cookie does', async () => {
    const user = people[20] ?? victim
    const own = at(server, '192.0.2.40')
    expect(await statusOf(own, user)).toBe(303)
    const kept = decodeURIComponent(/skillpass_browser=([^;]+)/.exec(own.cookie())?.[1] ?? '')
    expect(kept).toMatch(/^[\w-]+:\w+:v1\.[0-9a-f]{12}\.[\w-]{43}$/)
    for (let i = 0; i < 10; i++) {
      await statusOf(at(server, `10.${i}.3.1`), { ...user, password: `guess number ${i}` })
    }
    const withCookie = async (value: string, credentials = user) => {
      const browser = at(server, '192.0.2.41')
      const html = await (await browser.get('/sign-in')).text()
      const cookie = `${browser.cookie()}; skillpass_browser=${encodeURIComponent(value)}`
      const response = await server.http('/sign-in', {
        method: 'POST',
        headers: { cookie, 'x-forwarded-for': '192.0.2.41' },
        body: new URLSearchParams({ ...hiddenFields(html, '/sign-in'), ...credentials }),
      })
      return response.status
    }
    const [id = '', time = '', proof = ''] = kept.split(':')
    for (const forged of [
      `${id}:${time}:`,
      `${id}:${(Number.parseInt(time, 36) + 1).toString(36)}:${proof}`,
      `${id}:${time}:${proof.slice(0, -1)}${proof.endsWith('A') ? 'B' : 'A'}`,
      'x'.repeat(900),
    ]) {
      expect(await withCookie(forged)).toBe(429)
    }
    expect(await withCookie(kept)).toBe(303)
    const next = { ...user, password: 'another horse battery' }
    await declare(server, { accounts: [{ name: 'Crowd', users: [next] }] })
    expect(await withCookie(kept, next)).toBe(429)
  })
})

test('passcodes have six characters at least, and shorter ones of before go on working', async () => {
  const { server, applied } = await startOAuthServer()
  const old = await meetingOf({ ctx: server.ctx, applied }, victim.email, { password: 'abc' })
  const browser = at(server, '192.0.2.50')
  expect((await browser.get(`/meetings/${old.id}?pwd=abc`)).status).toBe(200)
})

describe('forms of sign-in', () => {
  test('what a known browser keeps is in no table', async () => {
    const server = await startTestServer({ env: { TRUST_PROXY: '1' } })
    await declare(server, {
      accounts: [{ name: 'Crowd', users: [{ ...victim, role: 'member' }] }],
    })
    const own = at(server, '192.0.2.60')
    expect(await statusOf(own, victim)).toBe(303)
    const proof = decodeURIComponent(own.cookie()).split(':').at(-1) ?? ''
    expect(await stored(server.database)).not.toContain(proof)
  })
})
