import { randomBytes, randomInt } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { declare, password } from '../../support/apps.ts'
import { meetingOf } from '../../support/meetings.ts'
import { openSession, type Session } from '../../support/people.ts'
import { redis, redisAnswers, redisUrl } from '../../support/redis.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { eventually } from '../../support/waiting.ts'

/** Redis remembers the runs of before. */
const run = randomBytes(4).toString('hex')
const email = (name: string) => `${name}-${run}@guess.test`
const member = (name: string) => ({ email: email(name), password, role: 'member' as const })

const host = 'host'
const colleague = 'colleague'
const outsider = 'outsider'
const crowd = Array.from({ length: 20 }, (_, i) => `tenant${i}`)
const accounts = [
  { name: 'Hosts', users: [host, colleague].map(member) },
  { name: 'Tenant', users: crowd.map(member) },
  { name: 'Others', users: [member(outsider)] },
]

const passcode = 'Sesame1'
const proxied = { TRUST_PROXY: '1' }

/** Each from a network of its own, which no other run has used. */
const newAddress = () => `2001:${[1, 2, 3].map(() => randomBytes(2).toString('hex')).join(':')}::1`

/** A browser at an address, which the proxy in front names; its requests go to the servers in turn. */
function at(servers: readonly TestServer[], address: () => string): Session {
  let sent = 0
  return openSession({
    http: (path, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', address())
      const server = servers[sent++ % servers.length]
      if (!server) throw new Error('There is no server.')
      return server.http(path, { ...init, headers })
    },
  })
}

async function signedIn(servers: readonly TestServer[], name: string): Promise<Session> {
  const address = newAddress()
  const session = at(servers, () => address)
  const html = await (await session.get('/sign-in')).text()
  const form = { email: email(name), password }
  expect((await session.submit(html, '/sign-in', form)).status).toBe(303)
  return session
}

const tally = (statuses: readonly number[]) => ({
  looked: statuses.filter((status) => status === 403 || status === 400).length,
  refused: statuses.filter((status) => status === 429).length,
})

async function startOAuthServer(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ ...options, env: { ...proxied, ...options.env } })
  const applied = await declare(server, { accounts })
  const newMeeting = async () => {
    const id = randomInt(86_000_000_000, 99_000_000_000)
    const scene = { ctx: server.ctx, applied }
    const meeting = await meetingOf(scene, email(host), { password: passcode, id })
    return (pwd: string) => `/meetings/${meeting.id}?${new URLSearchParams({ pwd })}`
  }
  return { server, newMeeting }
}

describe('whoever is signed in guesses at passcodes', async () => {
  const { server, newMeeting } = await startOAuthServer()
  const open = async (browser: Session, path: string) => (await browser.get(path)).status
  const nobody = () => at([server], newAddress)

  test('20 users of another account get ten guesses at a meeting together, which count for everybody', async () => {
    const path = await newMeeting()
    const users = await Promise.all(crowd.map((name) => signedIn([server], name)))
    const statuses: number[] = []
    for (const [i, user] of users.entries()) {
      for (let j = 0; j < 9; j++) statuses.push(await open(user, path(`wrong${i}-${j}`)))
    }
    expect(tally(statuses)).toEqual({ looked: 10, refused: 170 })
    const last = users.at(-1) ?? nobody()
    expect(await open(last, path(passcode))).toBe(429)
    expect(await open(nobody(), path(passcode))).toBe(429)
    const other = await signedIn([server], outsider)
    expect(await open(other, path(passcode))).toBe(429)
    // Whoever shares the account with the meeting waits for none of these, nor does its host.
    expect(await open(await signedIn([server], colleague), path(passcode))).toBe(200)
    expect(await open(await signedIn([server], host), path(''))).toBe(200)
    // A minute on the meeting is free again, but not for that account.
    server.clock.advance(60_000)
    expect(await open(last, path(passcode))).toBe(429)
    expect(await open(other, path(passcode))).toBe(200)
    expect(await open(nobody(), path(passcode))).toBe(200)
    server.clock.advance(240_000)
    expect(await open(last, path(passcode))).toBe(200)
  })

  test('wrong passcodes of the meeting’s own account count for everybody else', async () => {
    const path = await newMeeting()
    server.clock.advance(300_000)
    const own = await signedIn([server], colleague)
    for (let i = 0; i < 9; i++) expect(await open(own, path(`wrong${i}`))).toBe(403)
    expect(await open(nobody(), path('wrong9'))).toBe(403)
    expect(await open(nobody(), path(passcode))).toBe(429)
    expect(await open(own, path(passcode))).toBe(200)
    expect(await open(own, path('wrong10'))).toBe(403)
    expect(await open(own, path(passcode))).toBe(429)
  })
})

if (!redisAnswers) {
  console.warn(`Skipped: bursts of guesses over two nodes, because ${redisUrl} does not answer.`)
}

const counted = [
  ['in memory', 1, {}],
  ...(redisAnswers ? ([['in Redis, over two nodes', 2, { REDIS_URL: redisUrl }]] as const) : []),
] as const

describe.each(counted)('a burst of guesses, counted %s', async (_, nodes, env) => {
  const { server, newMeeting } = await startOAuthServer({ env })
  const servers = [server]
  if (nodes === 2) {
    servers.push(
      await startTestServer({
        database: server.database,
        clock: server.clock,
        env: { ...proxied, ...env },
      }),
    )
  }
  // A node counts by itself until its connection stands.
  beforeAll(async () => {
    if (nodes === 1) return
    for (const { ctx } of servers) {
      await eventually(async () => {
        const key = `meeting-passcode:${randomBytes(8).toString('hex')}`
        await ctx.limiter.take(key, 1, 1000)
        expect(await redis(`EXISTS skillpass:limit:${key}`)).toContain(':1')
      })
    }
  })
  // A dozen at a time: more keep a busy machine from Redis for so long that a node counts by itself.
  const burst = async (browser: Session, paths: readonly string[]) => {
    const statuses: number[] = []
    for (let i = 0; i < paths.length; i += 12) {
      const wave = paths.slice(i, i + 12).map(async (path) => (await browser.get(path)).status)
      statuses.push(...(await Promise.all(wave)))
    }
    return tally(statuses)
  }
  const again = { retry: 3 }

  test('120 wrong passcodes of one address at once get ten answers', again, async () => {
    const path = await newMeeting()
    const address = newAddress()
    const browser = at(servers, () => address)
    const paths = Array.from({ length: 120 }, (_, i) => path(`wrong${i}`))
    expect(await burst(browser, paths)).toEqual({ looked: 10, refused: 110 })
    expect((await browser.get(path(passcode))).status).toBe(429)
  })

  test(
    '200 addresses at one meeting at once get ten answers, and the next right passcode waits',
    again,
    async () => {
      const path = await newMeeting()
      const browser = at(servers, newAddress)
      const paths = Array.from({ length: 200 }, (_, i) => path(`wrong${i}`))
      expect(await burst(browser, paths)).toEqual({ looked: 10, refused: 190 })
      expect((await browser.get(path(passcode))).status).toBe(429)
    },
  )

  test('60 visitors who come at once with the right passcode all get in', async () => {
    const path = await newMeeting()
    const browser = at(servers, newAddress)
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await browser.get(path(passcode))).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('80 wrong user codes of one session at once get five answers', again, async () => {
    const browser = await signedIn(servers, outsider)
    const letters = 'BCDFGHJKLMNPQRSTVWXZ'
    const paths = Array.from(
      { length: 80 },
      (_, i) => `/oauth/device/complete/BCDF-GH${letters[i % 20]}${letters[Math.floor(i / 20)]}`,
    )
    expect(await burst(browser, paths)).toEqual({ looked: 5, refused: 75 })
  })
})
