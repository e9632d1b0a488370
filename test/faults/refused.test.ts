import { classOf, type LoadClass, loadClasses } from '@skillpass/server/admission/load-class'
import { expect, onTestFinished, test, vi } from 'vitest'
import { breach, fillPath, nameOf, type Route, routes } from '../support/contract.ts'
import { exchange, type RawAnswer } from '../support/raw-http.ts'
import { startTestServer } from '../support/server.ts'
import { noteAnswers } from '../support/vitest/route-coverage.ts'
import { eventually, until } from '../support/waiting.ts'

const server = await startTestServer({ env: { ADMISSION_CONTROL: 'on' } })

/** As many of one connection as are in flight at once. */
const bound = 8

/** One request of each class that is soon answered. */
const fillers: Readonly<Record<LoadClass, string>> = {
  read: 'GET /api/v1/skills/none',
  page: 'GET /none/none',
  ranking: 'GET /api/v1/skills/search?limit=none',
  write: 'POST /api/v1/skills',
  token: 'POST /oauth/token',
  password: 'POST /v2/users',
}

const request = (line: string, accept = 'application/json', more = '') =>
  `${line} HTTP/1.1\r\nHost: skillpass.test\r\nAccept: ${accept}\r\nContent-Length: 0\r\n${more}\r\n`

/** Answers to requests that come at once with as many of their class as may be in flight. */
async function refused(name: LoadClass, lines: readonly string[], accept?: string) {
  const all = [...Array.from({ length: bound }, () => fillers[name]), ...lines]
  const texts = all.map((line, i) =>
    request(line, accept, i === all.length - 1 ? 'Connection: close\r\n' : ''),
  )
  // In one piece, so that all are read before the first is answered.
  const { answers } = await exchange(server.url, [texts.join('')], { count: all.length })
  expect(answers).toHaveLength(all.length)
  return answers.slice(bound)
}

const lineOf = (route: Route) =>
  `${route.method} ${fillPath(route, {}).replaceAll('undefined', 'x')}`

const classOfRoute = ({ method, path }: Route) => classOf({ method, url: path, headers: {} })

test.each(loadClasses)(
  'an overloaded server answers every route of the class %s with the 503 that the route declares',
  async (name) => {
    const own = routes.filter((route) => classOfRoute(route) === name)
    const answers = await refused(name, own.map(lineOf), name === 'page' ? 'text/html' : undefined)
    for (const [i, route] of own.entries()) {
      const { status, headers, body } = answers[i] as RawAnswer
      const why = `${nameOf(route)}: ${body}`
      expect(status, why).toBe(503)
      expect(Object.keys(route.responses), why).toContain('503')
      expect(Number(headers.get('retry-after')), why).toBeGreaterThan(0)
      expect(headers.get('skillpass-begun'), why).toBe('no')
      if (name === 'page') expect(headers.get('content-type'), why).toContain('text/html')
      const answer = { status, type: 'json', text: body, path: route.path }
      if (name !== 'page') expect(breach(undefined, answer), why).toBeUndefined()
    }
    await noteAnswers(own.map((route) => `${nameOf(route)} 503`))
  },
)

test('an overloaded server answers a browser with a page', async () => {
  const [answer] = await refused('page', ['GET /none/none'], 'text/html')
  expect(answer?.status).toBe(503)
  expect(answer?.headers.get('content-type')).toContain('text/html')
  expect(answer?.body).toContain('Back in a moment')
})

test('a client that pipelines 400 requests is refused while other clients are served', async () => {
  const many = Array.from({ length: 400 }, (_, i) =>
    request(fillers.ranking, 'application/json', i === 399 ? 'Connection: close\r\n' : ''),
  )
  const own = exchange(server.url, [many.join('')], { count: many.length })
  // A slow machine may refuse a request, but not the ones that repeat it.
  const served = async () => {
    const { status } = await server.http('/api/v1/skills/search?limit=none')
    expect(status).toBe(400)
  }
  await Promise.all(Array.from({ length: 20 }, () => eventually(served)))
  expect((await own).answers.map(({ status }) => status)).toContain(503)
})

const crowded = await startTestServer({
  env: {
    ADMISSION_CONTROL: 'on',
    TRUST_PROXY: 'loopback',
    RATE_LIMIT_READS_PER_MINUTE: '1000',
    RATE_LIMIT_WRITES_PER_MINUTE: '1000',
  },
})

/** Holds all requests at their rate limit until they are let go. */
function holdAll() {
  const { limiter } = crowded.ctx
  const { takeAll } = limiter
  let letGo = () => {}
  const open = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const held = vi.spyOn(limiter, 'takeAll').mockImplementation(async (limits) => {
    await open
    return takeAll(limits)
  })
  onTestFinished(() => {
    letGo()
    held.mockRestore()
  })
  const areHeld = (count: number) =>
    until(`${count} requests are held`, () => held.mock.calls.length === count)
  return { letGo, areHeld }
}

test('while 256 requests of a class wait, only a caller with eight in flight is refused', async () => {
  const { letGo, areHeld } = holdAll()
  const askFrom = (address: string, count: number) =>
    Array.from({ length: count }, () =>
      crowded.http('/api/v1/skills/none', { headers: { 'x-forwarded-for': address } }),
    )
  const crowd = askFrom('192.0.2.1', 256)
  await areHeld(256)
  const [refusal] = await Promise.all(askFrom('192.0.2.1', 1))
  expect(refusal?.status).toBe(503)
  expect(refusal?.headers.get('skillpass-begun')).toBe('no')
  const few = askFrom('192.0.2.2', 8)
  await areHeld(264)
  letGo()
  const answers = await Promise.all([...crowd, ...few])
  expect(answers.filter(({ status }) => status !== 404)).toEqual([])
})

test('a request is served however long it waits for its turn', async () => {
  const { letGo, areHeld } = holdAll()
  const resolved = crowded.client.registry.skills.resolve({ query: { task: 'fill in a form' } })
  await areHeld(1)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  onTestFinished(() => later.mockRestore())
  letGo()
  expect((await resolved).matched).toBe(0)
})

test('an overloaded server still answers health, readiness and metrics', async () => {
  const lines = ['GET /health/live', 'GET /health/ready', 'GET /metrics', 'GET /api/v1/health']
  const answers = await refused('ranking', lines)
  expect(answers.map(({ status }) => status)).not.toContain(503)
})

test('CORS lets any origin read refusals of the registry and the metadata, but not of the token endpoint', async () => {
  const opened = async (name: LoadClass, line: string) =>
    (await refused(name, [line]))[0]?.headers.get('access-control-allow-origin')
  expect(await opened('ranking', fillers.ranking)).toBe('*')
  expect(await opened('read', 'GET /.well-known/oauth-authorization-server')).toBe('*')
  expect(await opened('token', fillers.token)).toBeUndefined()
})
