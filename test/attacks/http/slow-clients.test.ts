import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { afterFile } from '../../support/cleanup.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, nobody } from '../../support/skills.ts'

const server = await startTestServer()
const { apiKey: key } = await server.agent('probe')

/** Texts on which a backtracking expression would take very long. */
function probesOf(length: number): Record<string, string> {
  const filled = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  return {
    letters: `${filled('a')}!`,
    hyphens: `a${filled('-')}!`,
    'letters and hyphens': `${filled('a-')}_`,
    digits: `${filled('1')}x`,
    hexadecimal: `sha256:${filled('a0')}g`,
    spaces: `x${filled(' ')}x`,
    zeros: `0.${filled('0')}x`,
    markup: filled('<a '),
    brackets: filled('[]('),
    backticks: filled('`'),
    'line ends': filled('\n---'),
    emphasis: filled('*a_'),
  }
}

type Field = readonly [method: string, path: string, body: (text: string) => unknown]

/** Fields that the registry checks; every probe is refused in each of them. */
const probed: Readonly<Record<string, Field>> = {
  username: ['POST', '/api/v1/agents/register', (username) => ({ username })],
  slug: ['POST', '/api/v1/skills', (slug) => ({ name: 'a', slug })],
  tags: ['POST', '/api/v1/skills', (tag) => ({ name: 'a', slug: 'a', tags: [tag, tag] })],
  description: ['POST', '/api/v1/skills', (description) => ({ name: 'a', slug: 'a', description })],
  'task of a feedback': [
    'POST',
    `/api/v1/skills/${nobody}/feedback`,
    (task) => ({ task, helpful: true }),
  ],
}

const head = 'POST /api/v1/agents/register HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n'

/** The bytes sent before a connection stalls: none, part of the headers, or part of the body. */
const starts = ['', head, `${head}Content-Type: application/json\r\n\r\n{`]

/**
 * Opens 300 connections that never finish a request. The returned function sends another character
 * on each.
 */
async function openSlowConnections(url: string): Promise<() => void> {
  const { hostname, port } = new URL(url)
  const sockets = await Promise.all(
    Array.from({ length: 300 }, (_, i) => {
      const socket = connect(Number(port), hostname)
      afterFile(async () => void socket.destroy())
      return new Promise<Socket>((resolve, reject) => {
        socket.once('error', reject)
        socket.once('connect', () => socket.write(starts[i % 3] ?? '', () => resolve(socket)))
      })
    }),
  )
  return () => {
    for (const [i, socket] of sockets.entries()) if (i % 3 && socket.writable) socket.write('a')
  }
}

test('a server with 300 connections that never finish a request serves other clients', async () => {
  const drip = await openSlowConnections(server.url)
  for (let i = 0; i < 20; i++) {
    drip()
    expect((await server.http('/api/v1/skills/search?q=anything')).status).toBe(200)
  }
})

// An expression that backtracks exponentially would never finish.
test.each(Object.entries(probed))('a 32 KiB %s is refused', async (_, [method, path, bodyOf]) => {
  for (const [kind, text] of Object.entries(probesOf(32 * 1024))) {
    const { status } = await ask(server, method, path, { key, body: bodyOf(text) })
    expect(`${kind}: ${status}`).toBe(`${kind}: 400`)
  }
})

test('headers and query parameters of 8 KiB are accepted, whatever their content', async () => {
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
