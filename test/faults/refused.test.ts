import { contract, oauthContract, returnsPage } from '@skillpass/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { breach, fillPath, nameOf, type Route, routes } from '../support/contract.ts'
import { startTestServer } from '../support/server.ts'
import { recordStatuses } from '../support/vitest/route-coverage.ts'
import { createGate, until } from '../support/waiting.ts'

/** Number of requests in flight from which callers with eight of them are refused. */
const bound = 256

const server = await startTestServer({
  env: {
    TRUST_PROXY: 'loopback',
    RATE_LIMIT_READS_PER_MINUTE: '1000',
    RATE_LIMIT_WRITES_PER_MINUTE: '1000',
  },
})

const askFrom = (address: string, path = '/api/v1/skills/none', init: RequestInit = {}) =>
  server.http(path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } })

const crowd: Promise<Response>[] = []
const { limiter } = server.ctx
const { check } = limiter
const gate = createGate()
/** Number of requests blocked in their rate-limit check. */
let held = 0

/** Blocks as many requests as may be in flight. */
beforeAll(async () => {
  limiter.check = async (limits, counts) => {
    if (limits[0]?.key.startsWith('read:')) {
      held++
      await gate.opened
    }
    return check(limits, counts)
  }
  for (let i = 0; i < bound; i++) crowd.push(askFrom('192.0.2.1'))
  await until('all are held', () => held === bound)
})

afterAll(() => gate.open())

const isHealth = ({ path }: Route) => path === contract.registry.health.check.path

test('an overloaded server returns for every route the 503 that the route declares', async () => {
  const refusable = routes.filter((route) => !isHealth(route))
  for (const route of refusable) {
    const path = fillPath(route, {}).replaceAll('undefined', 'x')
    const accept = returnsPage(route) ? 'text/html' : 'application/json'
    const { method } = route
    const response = await askFrom('192.0.2.1', path, { method, headers: { accept } })
    const [{ status, headers }, text] = [response, await response.text()]
    const why = `${nameOf(route)}: ${text}`
    expect(status, why).toBe(503)
    expect(Object.keys(route.responses), why).toContain('503')
    expect(Number(headers.get('retry-after')), why).toBeGreaterThan(0)
    expect(headers.get('skillpass-begun'), why).toBe('no')
    if (returnsPage(route)) expect(headers.get('content-type'), why).toContain('text/html')
    else
      expect(
        breach(undefined, { status, type: 'json', text, path: route.path }),
        why,
      ).toBeUndefined()
  }
  await recordStatuses(refusable.map((route) => `${nameOf(route)} 503`))
})

test('an overloaded server returns an HTML page to a browser', async () => {
  const response = await askFrom('192.0.2.1', '/none/none', { headers: { accept: 'text/html' } })
  expect(response.status).toBe(503)
  expect(response.headers.get('content-type')).toContain('text/html')
  const html = await response.text()
  expect(html).toContain('Back in a moment')
  expect(html).toMatch(/Too many requests are in progress\. Try again after \d seconds?\./)
  expect(html).toContain('This page tries again by itself.')
  expect(response.headers.get('refresh')).toBe('5')
  const form = { method: 'POST', headers: { accept: 'text/html' }, body: 'a=b' }
  const posted = await askFrom('192.0.2.1', '/sign-in', form)
  expect([posted.status, posted.headers.get('refresh')]).toEqual([503, null])
})

test('an overloaded server still serves health, readiness and metrics', async () => {
  const paths = ['/health/live', '/health/ready', '/metrics', '/api/v1/health']
  const responses = await Promise.all(paths.map((path) => askFrom('192.0.2.1', path)))
  expect(responses.map(({ status }) => status)).not.toContain(503)
})

test('an overloaded server refuses a long body before it has arrived, and closes the connection', async () => {
  const path = `/api/v1/blobs/${'a'.repeat(64)}`
  const body = Buffer.alloc(3 * 1024 * 1024)
  const response = await askFrom('192.0.2.1', path, { method: 'PUT', body })
  expect(response.status).toBe(503)
  expect(response.headers.get('connection')).toBe('close')
  expect(await response.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } })
})

test('CORS lets any origin read 503 errors of the registry and the metadata, but not of the token endpoint', async () => {
  const opened = async (path: string, method = 'GET') =>
    (await askFrom('192.0.2.1', path, { method })).headers.get('access-control-allow-origin')
  expect(await opened('/api/v1/skills/none')).toBe('*')
  expect(await opened(oauthContract.metadata.path)).toBe('*')
  expect(await opened('/oauth/token', 'POST')).toBeNull()
  const headers = { 'access-control-request-method': 'GET' }
  const preflight = await askFrom('192.0.2.1', '/api/v1/skills', { method: 'OPTIONS', headers })
  expect(preflight.status).toBe(204)
})

test('while 256 requests are in flight, a caller with at most eight of them is served', async () => {
  const few = Array.from({ length: 8 }, () => askFrom('192.0.2.2'))
  await until('they have begun', () => held === bound + 8)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  gate.open()
  const responses = await Promise.all([...crowd, ...few])
  later.mockRestore()
  expect(responses.filter(({ status }) => status !== 404)).toEqual([])
})
