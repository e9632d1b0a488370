import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { nameOf, routes } from '../../support/contract.ts'
import { startTestServer } from '../../support/server.ts'
import { addressesAt } from '../../support/settings.ts'
import { words } from '../../support/words.ts'

const open = await startTestServer()
const token = 'metrics-token-of-the-operator'
const guarded = await startTestServer({ env: { METRICS_TOKEN: token } })
const behindProxy = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })

test('in production the metrics are not found without METRICS_TOKEN', async () => {
  const production = await startTestServer({
    env: { NODE_ENV: 'production', ...addressesAt('https://skillpass.test') },
  })
  const answer = await production.http('/metrics')
  expect(answer.status).toBe(404)
})

test('without METRICS_TOKEN a direct connection from this machine reads the metrics', async () => {
  const answer = await open.http('/metrics')
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('skillpass_http_request_seconds')
})

test.each([
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Forwarded-For': '203.0.113.7' },
  { Forwarded: 'for=127.0.0.1' },
  { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
])(
  'without METRICS_TOKEN a forwarded request for the metrics is not found: %o',
  async (headers) => {
    for (const server of [open, behindProxy]) {
      const answer = await server.http('/metrics', { headers })
      expect(answer.status).toBe(404)
      expect(await answer.text()).not.toContain('skillpass_')
    }
  },
)

test.each(
  words(`
  X-Real-IP X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port Via X-Client-IP
  CF-Connecting-IP True-Client-IP
`),
)('without METRICS_TOKEN a request for the metrics with %s is not found', async (name) => {
  const answer = await open.http('/metrics', { headers: { [name]: '203.0.113.7' } })
  expect(answer.status).toBe(404)
})

test('with METRICS_TOKEN only that token opens the metrics', async () => {
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Basic ${btoa(token)}`,
    token,
  ]
  for (const Authorization of wrong) {
    const headers = Authorization === undefined ? {} : { Authorization }
    expect((await guarded.http('/metrics', { headers })).status).toBe(404)
  }
  expect((await guarded.http(`/metrics?token=${token}`)).status).toBe(404)
  const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.7' }
  expect((await guarded.http('/metrics', { headers })).status).toBe(200)
})

test('labels of metrics are route templates and contain nothing of a request', async () => {
  const agent = await open.agent('metrics')
  const word = () => `w${randomBytes(6).toString('hex')}`
  const words: string[] = []
  const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'PROPFIND', 'REPORT', 'LOCK', 'OPTIONS']
  const ask = async (i: number) => {
    const own = word()
    words.push(own)
    const paths = [
      `/${own}`,
      `/${own}/${own}`,
      `/${own}/${own}/${own}`,
      `/${own}/${own}/${own}/${own}`,
      `/agents/${own}`,
      `/docs/${own}`,
      `/api/v1/${own}`,
      `/api/v1/skills/${own}`,
      `/api/v1/skills/${own}/stats`,
      `/api/v1/skills/search?q=${own}`,
      `/search?q=${own}`,
      `/assets/${own}`,
    ]
    const answer = await open.http(paths[i % paths.length] ?? '/', {
      method: methods[Math.floor(i / paths.length)] ?? 'GET',
      headers: { Authorization: `Bearer ${agent.apiKey}`, Accept: i % 2 ? 'text/html' : '*/*' },
    })
    await answer.arrayBuffer()
  }
  // Every path with every method.
  await Promise.all(Array.from({ length: 12 * 9 }, (_, i) => ask(i)))
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
  expect(series.size).toBeLessThan(routes.map(nameOf).length * methods.length * 4)
})
