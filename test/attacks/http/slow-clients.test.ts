import { expect, test } from 'vitest'
import { probedFields, probesOf, sendField, startProbedServer } from './probes.ts'
import { openSlowConnections } from './slow-connections.ts'

const { server, agent } = await startProbedServer()

test('a server with 300 connections that never finish a request answers other clients', async () => {
  const drip = await openSlowConnections(server.url)
  for (let i = 0; i < 20; i++) {
    drip()
    expect((await server.http('/api/v1/skills/search?q=anything')).status).toBe(200)
  }
})

// An expression that backtracks exponentially would never end here; cost.long.ts finds the slower ones.
test.each(Object.entries(probedFields))(
  'a %s of 32 KiB is refused, whatever it repeats',
  async (_name, field) => {
    for (const [kind, text] of Object.entries(probesOf(32 * 1024))) {
      const { status } = await sendField(server, agent, field, text)
      expect(`${kind}: ${status}`).toBe(`${kind}: 400`)
    }
  },
)

test('headers and query parameters of 8 KiB are answered, whatever they repeat', async () => {
  for (const [kind, probe] of Object.entries(probesOf(8 * 1024))) {
    const text = probe.replaceAll('\n', ' ')
    const encoded = encodeURIComponent(text).slice(0, text.length)
    const headers = { Accept: text, 'If-None-Match': text, Cookie: text, 'X-Request-Id': text }
    for (const [path, sent] of [
      ['/api/v1/agents/me', { Authorization: `Bearer ${text}` }],
      ['/a/b/c', headers],
      ['/', { ...headers, 'X-Forwarded-For': text }],
      [`/api/v1/skills/search?limit=${encoded}`, {}],
      [`/search?q=${encoded}`, {}],
      [`/a/b/c?digest=${encoded}`, {}],
    ] as const) {
      const { status } = await server.http(path, { headers: sent })
      expect(status, `${kind} in ${path.slice(0, 40)}`).toBeLessThan(500)
    }
  }
})
