import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isRedisRunning, redis, redisUrl } from '../support/redis.ts'
import { reportFigure } from '../support/rounds.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { addressesAt, noLimits } from '../support/settings.ts'
import { ask, expectError, publish, serverForTest, unique } from '../support/skills.ts'
import { eventually } from '../support/waiting.ts'

const limits = {
  RATE_LIMIT_READS_PER_MINUTE: '60',
  RATE_LIMIT_WRITES_PER_MINUTE: '20',
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: '5',
}
const limited = (env: Record<string, string> = {}) =>
  startTestServer({ env: { ...limits, ...env } })
/** Starts a server for one test. */
const limitedHere = (env: Record<string, string> = {}) =>
  serverForTest({ env: { ...limits, ...env } })
const search = '/api/v1/skills/search'
const read = (server: TestServer, headers: Record<string, string> = {}) =>
  ask(server, 'GET', search, { headers })

const byte = () => randomInt(16, 256).toString(16)
/** Returns an unused address. */
const freshAddress = () => `2001:db8:${byte()}${byte()}:${byte()}00::1`
const keyOf = (of: string) => `skillpass:limit:read:${of.replace(/1$/, '/56')}`

/** Waits for Redis, because a node limits on its own until it is connected. */
async function untilShared(server: TestServer) {
  const probe = freshAddress()
  await eventually(async () => {
    await read(server, { 'x-forwarded-for': probe })
    expect(await redis(`EXISTS ${keyOf(probe)}`)).toContain(':1')
  })
  await redis(`DEL ${keyOf(probe)}`)
}

/** Sends `count` requests at once. Returns how many succeeded, and expects 429 for the others. */
async function allowed(count: number, send: () => Promise<Response>): Promise<number> {
  const responses = await Promise.all(Array.from({ length: count }, send))
  const refused = responses.filter(({ status }) => status === 429).length
  expect(responses.filter(({ status }) => status < 300)).toHaveLength(count - refused)
  return count - refused
}

const server = await limited()

test('an address can read 60 times a minute and then gets RATE_LIMITED with an exact Retry-After', async () => {
  expect(await allowed(70, () => read(server))).toBe(60)
  const error = await expectError(read(server), 'RATE_LIMITED')
  const wait = Number(error.headers.get('retry-after'))
  expect(error.retryAfter).toBe(wait)
  expect(error.message).toBe('Too many requests. Wait 60 seconds.')
  server.clock.advance((wait - 1) * 1000)
  await expectError(read(server), 'RATE_LIMITED')
  server.clock.advance(1000)
  expect((await read(server)).status).toBe(200)
})

test('the RateLimit headers count down and name the policy', async () => {
  server.clock.advance(60_000)
  for (let sent = 1; sent <= 3; sent++) {
    const { headers } = await read(server)
    expect(headers.get('ratelimit-policy')).toBe('"read";q=60;w=60')
    expect(headers.get('ratelimit')).toBe(`"read";r=${60 - sent};t=60`)
    expect(headers.get('x-ratelimit-limit')).toBe('60')
    expect(headers.get('x-ratelimit-remaining')).toBe(String(60 - sent))
    const reset = Math.ceil(server.clock.now() / 1000) + 60
    expect(headers.get('x-ratelimit-reset')).toBe(String(reset))
    expect(headers.get('retry-after')).toBeNull()
  }
  server.clock.advance(10_500)
  const { headers } = await read(server)
  expect(headers.get('ratelimit')).toBe('"read";r=56;t=50')
})

test('X-Forwarded-For and Forwarded are ignored by default', async () => {
  server.clock.advance(60_000)
  let i = 0
  const claim = () => {
    const address = `203.0.113.${i++}`
    return read(server, {
      'x-forwarded-for': address,
      'x-real-ip': address,
      forwarded: `for=${address}`,
    })
  }
  expect(await allowed(70, claim)).toBe(60)
  reportFigure('addresses claimed without a proxy: 60 of 70 let through')
})

test('an agent can write 20 times a minute with all its keys together', async () => {
  const server = await limited({ RATE_LIMIT_REGISTRATIONS_PER_HOUR: '0' })
  const [agent, other] = [await server.agent('writer'), await server.agent('other')]
  const publishAs = (key: string) => () =>
    ask(server, 'POST', '/api/v1/skills', { key, body: { name: 'x', slug: unique('w') } })
  const { data } = await agent.client.registry.apiKeys.create({ body: { name: 'second' } })
  expect(await allowed(10, publishAs(agent.apiKey))).toBe(10)
  expect(await allowed(25, publishAs(data.key))).toBe(9)
  expect(await allowed(20, publishAs(other.apiKey))).toBe(20)
  const error = await expectError(publishAs(agent.apiKey)(), 'RATE_LIMITED')
  expect(error.headers.get('ratelimit-policy')).toBe('"write";q=20;w=60')
  server.clock.advance(Number(error.headers.get('retry-after')) * 1000)
  expect(await allowed(25, publishAs(agent.apiKey))).toBe(20)
})

describe('registrations', async () => {
  const server = await limited({ TRUST_PROXY: 'loopback' })

  /** Registers agents from a new address. */
  const start = () => {
    const client = freshAddress()
    const send = (username = unique('limited')) =>
      ask(server, 'POST', '/api/v1/agents/register', {
        body: { username },
        headers: { 'x-forwarded-for': client },
      })
    const many = async (count: number, username?: string) => {
      const responses = await Promise.all(Array.from({ length: count }, () => send(username)))
      return responses.map(({ status }) => status).sort()
    }
    return { send, many }
  }

  test('an address can register five agents an hour, and registrations refused with 409 or 400 do not count', async () => {
    const { send, many } = start()
    const taken = unique('taken')
    const remaining = (headers: Headers) => headers.get('ratelimit')?.split(';t=')[0]
    expect(remaining((await send(taken)).headers)).toBe('"registration";r=4')
    for (let i = 0; i < 5; i++) {
      for (const error of [
        await expectError(send(taken), 'CONFLICT'),
        await expectError(send('A'), 'VALIDATION_ERROR'),
      ]) {
        expect(remaining(error.headers)).toBe('"registration";r=4')
      }
    }
    expect(await many(6)).toEqual([201, 201, 201, 201, 429, 429])
    const { headers } = await expectError(send(), 'RATE_LIMITED')
    expect(headers.get('ratelimit-policy')).toBe('"registration";q=5;w=3600')
    expect(headers.get('retry-after')).toBe('3600')
    server.clock.advance(3_599_000)
    expect((await send()).status).toBe(429)
    server.clock.advance(1000)
    expect(await many(6)).toEqual([201, 201, 201, 201, 201, 429])
  })

  test.skipIf(!isRedisRunning)('a registration that fails does not count in Redis', async () => {
    const shared = await limitedHere({ REDIS_URL: redisUrl, TRUST_PROXY: 'loopback' })
    await untilShared(shared)
    const client = freshAddress()
    const send = (username = unique('shared')) =>
      ask(shared, 'POST', '/api/v1/agents/register', {
        body: { username },
        headers: { 'x-forwarded-for': client },
      })
    expect(await allowed(1, () => send('taken'))).toBe(1)
    for (let i = 0; i < 5; i++) await expectError(send('taken'), 'CONFLICT')
    expect(await allowed(6, send)).toBe(4)
  })

  test('an address can attempt 60 registrations an hour, so that names cannot be guessed', async () => {
    const { send, many } = start()
    expect(await many(65, 'A')).toEqual([...Array(60).fill(400), ...Array(5).fill(429)])
    const { headers } = await expectError(send(), 'RATE_LIMITED')
    expect(headers.get('ratelimit-policy')).toBe('"registrationAttempt";q=60;w=3600')
    server.clock.advance(Number(headers.get('retry-after')) * 1000)
    expect((await send()).status).toBe(201)
  })
})

/** Variables that leave every limit at its default. */
const unset = Object.fromEntries(Object.keys(noLimits).map((name) => [name, '']))

const development = { ...unset, NODE_ENV: 'development' }

test('in development, requests from this machine have no rate limits', async () => {
  const server = await serverForTest({ env: development })
  expect(await allowed(70, () => read(server))).toBe(70)
  expect((await read(server)).headers.get('ratelimit')).toBeNull()
  const agents = Array.from({ length: 7 }, () => server.agent('author'))
  const [author] = await Promise.all(agents)
  if (author) for (let i = 0; i < 25; i++) await publish(author)
})

test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'cf-connecting-ip'])(
  'in development, a request that a proxy on this machine marks with %s has limits',
  async (header) => {
    for (const TRUST_PROXY of ['off', 'loopback']) {
      const server = await serverForTest({ env: { ...development, TRUST_PROXY } })
      expect(await allowed(61, () => read(server, { [header]: '127.0.0.1' }))).toBe(60)
    }
  },
)

const production = { ...unset, NODE_ENV: 'production', ...addressesAt('https://skillpass.test') }
test.each([
  [
    'in development with a limit that is set',
    { ...development, RATE_LIMIT_WRITES_PER_MINUTE: '5' },
  ],
  ['outside development', production],
])('requests from this machine have limits %s', async (_, env) => {
  const server = await serverForTest({ env })
  expect(await allowed(61, () => read(server))).toBe(60)
})

const from = (server: TestServer, forwarded: string) =>
  read(server, { 'x-forwarded-for': forwarded })

test('TRUST_PROXY=loopback distinguishes the clients of a local proxy, and IPv6 clients by /56', async () => {
  const server = await limitedHere({ TRUST_PROXY: 'loopback' })
  expect(await allowed(61, () => from(server, '203.0.113.1'))).toBe(60)
  expect(await allowed(61, () => from(server, '203.0.113.2'))).toBe(60)
  let i = 0
  const sameCustomer = () =>
    from(server, `2001:db8:0:ff${(i++ % 100).toString().padStart(2, '0')}::1`)
  expect(await allowed(61, sameCustomer)).toBe(60)
  expect(await allowed(1, () => from(server, '2001:db8:1::1'))).toBe(1)
})

test.each(['1', 'loopback'])('TRUST_PROXY=%s ignores ports and forgeries', async (trust) => {
  const server = await limited({ TRUST_PROXY: trust })
  let i = 0
  const rotating = () => from(server, `198.51.100.${i++}, 192.0.2.${i}, 203.0.113.9:${i}`)
  expect(await allowed(70, rotating)).toBe(60)
  reportFigure(`addresses rotated behind a proxy (${trust}): 60 of 70 let through`)
})

describe.skipIf(!isRedisRunning)('two servers on one Redis', () => {
  test('two servers on one Redis share a limit, with headers and a Retry-After in real seconds', async () => {
    const env = { REDIS_URL: redisUrl, TRUST_PROXY: 'loopback', RATE_LIMIT_READS_PER_MINUTE: '20' }
    const [a, b] = [await limitedHere(env), await limitedHere(env)]
    // A slow Redis is skipped for a moment, so the next attempt starts with new counts.
    await eventually(async () => {
      for (const server of [a, b]) await untilShared(server)
      const client = freshAddress()
      let i = 0
      const send = () => read([a, b][i++ % 2] ?? a, { 'x-forwarded-for': client })
      const began = performance.now()
      const responses: Response[] = []
      for (let sent = 0; sent < 26; sent++) responses.push(await send())
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(20)
      const error = await expectError(send(), 'RATE_LIMITED')
      const wait = Number(error.headers.get('retry-after'))
      expect(wait).toBeGreaterThanOrEqual(59 - (performance.now() - began) / 1000)
      expect(wait).toBeLessThanOrEqual(60)
      expect(responses[4]?.headers.get('x-ratelimit-remaining')).toBe('15')
      await redis(`DEL ${keyOf(client)}`)
      expect((await send()).status).toBe(200)
      await redis(`DEL ${keyOf(client)}`)
    })
  })
})

test('with an unreachable Redis each node applies the limits separately and serves every request', async () => {
  const server = await limitedHere({ REDIS_URL: 'redis://127.0.0.1:1' })
  expect(await allowed(70, () => read(server))).toBe(60)
  const author = await server.agent('author')
  expect((await publish(author)).version).toBe(1)
})
