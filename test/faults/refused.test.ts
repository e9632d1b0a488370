import { classOf, type LoadClass, loadClasses } from '@skillpass/server/admission/load-class'
import { expect, test } from 'vitest'
import { breach, fillPath, nameOf, type Route, routes } from '../support/contract.ts'
import { exchange, type RawAnswer } from '../support/raw-http.ts'
import { startTestServer } from '../support/server.ts'
import { noteAnswers } from '../support/vitest/route-coverage.ts'
import { eventually } from '../support/waiting.ts'

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
