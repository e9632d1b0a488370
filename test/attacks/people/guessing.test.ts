import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { declare, password, userOf } from '../../support/apps.ts'
import { makeMeeting } from '../../support/meetings.ts'
import { openSession, reachedFrom, type Session } from '../../support/people.ts'
import { isRedisRunning, redis, redisUrl } from '../../support/redis.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'

// Redis still counts the guesses of earlier runs.
const run = randomBytes(4).toString('hex')
const email = (name: string) => `${name}-${run}@guess.test`
const member = (name: string) => ({ email: email(name), password, role: 'member' as const })

const tenants = ['tenant1', 'tenant2', 'tenant3', 'tenant4']
const accounts = [
  { name: 'Hosts', users: ['host', 'colleague'].map(member) },
  { name: 'Tenant', users: tenants.map(member) },
  { name: 'Others', users: [member('outsider')] },
]

const passcode = 'Sesame1'

/** Returns an address in a network that no other run has used. */
const newAddress = () => `2001:${[1, 2, 3].map(() => randomBytes(2).toString('hex')).join(':')}::1`

async function startServer(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ ...options, env: { TRUST_PROXY: '1', ...options.env } })
  await declare(server, { accounts })
  const newMeeting = async () => {
    const { id } = await makeMeeting(server, email('host'), { password: passcode })
    return { id, path: (pwd: string) => `/meetings/${id}?${new URLSearchParams({ pwd })}` }
  }
  return { server, newMeeting }
}

async function signedIn(name: string, ...servers: TestServer[]): Promise<Session> {
  const address = newAddress()
  const session = openSession(reachedFrom(() => address, ...servers))
  const html = await (await session.get('/sign-in')).text()
  const form = { email: email(name), password }
  expect((await session.submit(html, '/sign-in', form)).status).toBe(303)
  return session
}

const always = (address: string) => (): string => address

const countsOf = (statuses: readonly number[]) => ({
  checked: statuses.filter((status) => status === 403 || status === 400).length,
  refused: statuses.filter((status) => status === 429).length,
})

const { server, newMeeting } = await startServer()
const open = async (browser: Session, path: string) => (await browser.get(path)).status
const visitor = () => openSession(reachedFrom(newAddress, server))

test('users of another account share ten passcode guesses, which do not affect the meeting’s account', async () => {
  const { path } = await newMeeting()
  const users = await Promise.all(tenants.map((name) => signedIn(name, server)))
  const statuses: number[] = []
  for (const [i, user] of users.entries()) {
    for (let j = 0; j < 4; j++) statuses.push(await open(user, path(`wrong${i}-${j}`)))
  }
  expect(countsOf(statuses)).toEqual({ checked: 10, refused: 6 })
  const tenant = users.at(-1) ?? visitor()
  expect(await open(tenant, path(passcode))).toBe(429)
  expect(await open(visitor(), path(passcode))).toBe(429)
  const other = await signedIn('outsider', server)
  expect(await open(other, path(passcode))).toBe(429)
  expect(await open(await signedIn('colleague', server), path(passcode))).toBe(200)
  expect(await open(await signedIn('host', server), path(''))).toBe(200)
  // Others may guess again after a minute, but that account only after five.
  server.clock.advance(60_000)
  expect(await open(tenant, path(passcode))).toBe(429)
  expect(await open(other, path(passcode))).toBe(200)
  expect(await open(visitor(), path(passcode))).toBe(200)
  server.clock.advance(240_000)
  expect(await open(tenant, path(passcode))).toBe(200)
})

test('wrong passcodes from the meeting’s own account count toward everyone else’s limit', async () => {
  const { path } = await newMeeting()
  server.clock.advance(300_000)
  const own = await signedIn('colleague', server)
  for (let i = 0; i < 9; i++) expect(await open(own, path(`wrong${i}`))).toBe(403)
  expect(await open(visitor(), path('wrong9'))).toBe(403)
  expect(await open(visitor(), path(passcode))).toBe(429)
  expect(await open(own, path(passcode))).toBe(200)
  expect(await open(own, path('wrong10'))).toBe(403)
  expect(await open(own, path(passcode))).toBe(429)
})

const counted = [
  ['one node', {}],
  ...(isRedisRunning ? ([['two nodes with Redis', { REDIS_URL: redisUrl }]] as const) : []),
] as const

describe.each(counted)('a burst of guesses at %s', async (_, env) => {
  const { server, newMeeting } = await startServer({ env })
  const servers = [server]
  const isShared = 'REDIS_URL' in env
  if (isShared) {
    const { database, clock } = server
    servers.push(await startTestServer({ database, clock, env: { TRUST_PROXY: '1', ...env } }))
  }
  const countInRedis = async (limit: string) =>
    Number(/^:(\d+)/m.exec((await redis(`ZCARD "skillpass:limit:${limit}"`)) ?? '')?.[1])

  interface Burst {
    readonly guesses: readonly (() => Promise<Response>)[]
    /** The limit that counts every guess. */
    readonly limit: string
  }

  /**
   * Repeats a burst until Redis has counted all of it. While Redis does not respond within a tenth
   * of a second, each node counts alone. Smaller bursts make timeouts less likely.
   */
  async function send<B extends Burst>(start: () => Promise<B>) {
    for (let attempt = 0; attempt < 20; attempt++) {
      const atOnce = Math.max(2, 32 >> attempt)
      const burst = await start()
      const statuses: number[] = []
      for (let i = 0; i < burst.guesses.length; i += atOnce) {
        const responses = burst.guesses.slice(i, i + atOnce).map((guess) => guess())
        statuses.push(...(await Promise.all(responses)).map(({ status }) => status))
      }
      const counts = countsOf(statuses)
      if (!isShared || (await countInRedis(burst.limit)) === counts.checked) {
        return { burst, counts }
      }
    }
    throw new Error('Redis never counted a whole burst.')
  }

  const newBurst = async (address: () => string) => {
    const { id, path } = await newMeeting()
    const browser = openSession(reachedFrom(address, ...servers))
    return {
      guesses: Array.from({ length: 32 }, (_, i) => () => browser.get(path(`wrong${i}`))),
      limit: `meeting-passcode-target:${id}`,
      right: () => browser.get(path(passcode)),
    }
  }

  test.each([
    ['one address', () => newBurst(always(newAddress()))],
    ['many addresses', () => newBurst(newAddress)],
  ])('ten of 32 wrong passcodes from %s are checked, then all are refused', async (_, start) => {
    const { burst, counts } = await send(start)
    expect(counts).toEqual({ checked: 10, refused: 22 })
    await expect.poll(async () => (await burst.right()).status).toBe(429)
  })

  test('40 concurrent visitors with the right passcode all enter', async () => {
    const { path } = await newMeeting()
    const browser = openSession(reachedFrom(newAddress, ...servers))
    const responses = Array.from({ length: 40 }, () => browser.get(path(passcode)))
    expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(
      new Set([200]),
    )
  })

  test('only five of 32 concurrent wrong user codes from one session are checked', async () => {
    const letters = 'BCDFGHJKLMNPQRSTVWXZ'
    const codes = Array.from(
      { length: 32 },
      (_, i) => `BCDF-GH${letters[i % 20]}${letters[Math.floor(i / 20)]}`,
    )
    const { counts } = await send(async () => {
      const name = `guesser${randomBytes(4).toString('hex')}`
      const users = [member(name)]
      const { id } = userOf(
        await declare(server, { accounts: [{ name: 'Others', users }] }),
        email(name),
      )
      const browser = await signedIn(name, ...servers)
      const html = await (await browser.get('/oauth_device')).text()
      return {
        guesses: codes.map((code) => () => browser.submit(html, '/oauth_device', { code })),
        limit: `user-code:user ${id}`,
      }
    })
    expect(counts).toEqual({ checked: 5, refused: 27 })
  })
})
