import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { routes } from '../../support/contract.ts'
import { startTestServer } from '../../support/server.ts'
import { addressesAt } from '../../support/settings.ts'
import { words } from '../../support/words.ts'

const open = await startTestServer()
const token = 'metrics-token-of-the-operator'
const guarded = await startTestServer({ env: { METRICS_TOKEN: token } })
const behindProxy = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
const production = await startTestServer({
  env: { NODE_ENV: 'production', ...addressesAt('https://skillpass.test') },
})

const right = { Authorization: `Bearer ${token}` }
const proxies = words(`
  X-Forwarded-For X-Real-IP X-Forwarded-Host X-Forwarded-Proto Via X-Client-IP CF-Connecting-IP
`)

test.each([
  ['a direct connection from this machine without METRICS_TOKEN', 200, open, {}],
  ['a direct connection in production without METRICS_TOKEN', 404, production, {}],
  ...[open, behindProxy].flatMap((server) =>
    proxies.map((name) => [`a request with ${name}`, 404, server, { [name]: '::1' }] as const),
  ),
  ['the token of the operator', 200, guarded, { ...right, 'X-Forwarded-For': '203.0.113.7' }],
  ...['', 'Bearer ', `Bearer ${token}x`, `Basic ${btoa(token)}`, token].map(
    (wrong) => [`the credential “${wrong}”`, 404, guarded, { Authorization: wrong }] as const,
  ),
] as const)('a metrics request with %s returns %i', async (_, status, server, headers) => {
  const response = await server.http('/metrics', { headers: { ...headers } })
  expect(response.status).toBe(status)
  expect((await response.text()).includes('skillpass_')).toBe(status === 200)
})

test('metric labels are route templates and contain nothing from the request', async () => {
  const agent = await open.agent('metrics')
  const words: string[] = []
  const shapes = ['/@', '/@/@', '/@/@/@', '/@/@/@/@', '/agents/@', '/docs/@', '/assets/@']
  const addresses = ['/api/v1/@', '/api/v1/skills/@', '/api/v1/skills/@/stats', '/search?q=@']
  for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PROPFIND', 'OPTIONS']) {
    for (const shape of [...shapes, ...addresses]) {
      const own = `w${randomBytes(6).toString('hex')}`
      words.push(own)
      const headers = { Authorization: `Bearer ${agent.apiKey}`, Accept: 'text/html' }
      await (await open.http(shape.replaceAll('@', own), { method, headers })).arrayBuffer()
    }
  }
  const text = await (await open.http('/metrics')).text()
  for (const own of words) expect(text).not.toContain(own)
  expect(text).not.toContain(agent.apiKey)
  const series = new Set(
    [...text.matchAll(/^skillpass_http_request_seconds_count\{(.*)\}/gm)].map(([, s]) => s),
  )
  const templates = new Set([...series].map((labels) => /route="([^"]*)"/.exec(labels ?? '')?.[1]))
  const owners = ['/:owner', '/:owner/:repo', '/agents/:username']
  const pages = ['/', '/search', ...owners, '/docs', '/metrics', 'none']
  const known = new Set([...routes.map(({ path }) => path), ...pages])
  for (const template of templates) expect(known).toContain(template)
  expect(series.size).toBeGreaterThan(10)
  expect(series.size).toBeLessThan(routes.length * 24)
})
