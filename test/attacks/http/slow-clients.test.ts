import { expect, test } from 'vitest'
import { probedFields, probesOf, requestsWith, sendField, startProbedServer } from './probes.ts'
import { openSlowConnections } from './slow-connections.ts'

const { server, agent } = await startProbedServer()

test('a server with 400 connections that never finish a request answers other clients', async () => {
  const sockets = await openSlowConnections(server.url)
  for (let i = 0; i < 20; i++) {
    for (const socket of sockets.slice(200)) if (socket.writable) socket.write('a')
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
  for (const [kind, text] of Object.entries(probesOf(8 * 1024))) {
    for (const [path, headers] of requestsWith(text)) {
      const { status } = await server.http(path, { headers })
      expect(status, `${kind} in ${path.slice(0, 40)} ${Object.keys(headers)}`).toBeLessThan(500)
    }
  }
})
