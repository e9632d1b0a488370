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

test.each(
  words(`
  X-Forwarded-For X-Real-IP X-Forwarded-Host X-Forwarded-Proto Via X-Client-IP CF-Connecting-IP
`),
)('without METRICS_TOKEN a request for the metrics with %s is not found', async (name) => {
  for (const server of [open, behindProxy]) {
    const answer = await server.http('/metrics', { headers: { [name]: '127.0.0.1' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('skillpass_')
  }
})

test('with METRICS_TOKEN only that token opens the metrics', async () => {
  for (const wrong of ['', 'Bearer ', `Bearer ${token}x`, `Basic ${btoa(token)}`, token]) {
    const headers = { Authorization: wrong }
    expect((await guarded.http('/metrics', { headers })).status).toBe(404)
  }
  expect((await guarded.http(`/metrics?token=${token}`)).status).toBe(404)
  const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.7' }
  expect((await guarded.http('/metrics', { headers })).status).toBe(200)
})

test('labels of metrics are route templates and contain nothing of a request', async () => {
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
