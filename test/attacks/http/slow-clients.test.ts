import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { afterFile } from '../../support/cleanup.ts'
import { probedFields, probesOf, sendField, startProbedServer } from './probes.ts'

const { server, agent } = await startProbedServer()

/** Opens a hundred connections that send this and never finish a request. */
const openHundred = (start: string): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: 100 }, () => {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      afterFile(async () => void socket.destroy())
      return new Promise<Socket>((resolve, reject) => {
        socket.once('error', reject)
        socket.once('connect', () => socket.write(start, () => resolve(socket)))
      })
    }),
  )

test('a server with 300 connections that never finish a request answers other clients', async () => {
  await openHundred('')
  const inHeaders = await openHundred('GET /api/v1/health HTTP/1.1\r\nHost: a\r\n')
  const head = 'POST /api/v1/agents/register HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n'
  const inBody = await openHundred(`${head}Content-Type: application/json\r\n\r\n{`)
  for (let i = 0; i < 20; i++) {
    for (const socket of [...inHeaders, ...inBody]) if (socket.writable) socket.write('a')
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
