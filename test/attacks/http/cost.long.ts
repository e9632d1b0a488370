import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { reportFigure } from '../../support/rounds.ts'
import { nonsense } from './nonsense.ts'
import { probedFields, probesOf, requestsWith, sendField, startProbedServer } from './probes.ts'
import { openSlowConnections } from './slow-connections.ts'

const { server, agent } = await startProbedServer()

/** CPU time of this process, with its server and its client, for one request: the least of five, ms. */
async function cpuTimeOf(send: () => Promise<Response>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const started = process.cpuUsage()
    await (await send()).arrayBuffer()
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

/**
 * Checks that the CPU time grows no faster than the size, with room for noise: for eight times the
 * size a quadratic check takes 64 times as long.
 */
async function expectLinear(what: string, send: (size: 'small' | 'large') => Promise<Response>) {
  const small = await cpuTimeOf(() => send('small'))
  const large = await cpuTimeOf(() => send('large'))
  expect(large, `${what}: ${small} ms for an eighth of the size`).toBeLessThan(24 * small + 10)
}

describe('CPU time of a refusal', () => {
  test.each(Object.entries(probedFields))(
    'the check of a %s takes time in proportion to its length',
    async (_name, field) => {
      const texts = { small: probesOf(32 * 1024), large: probesOf(256 * 1024) }
      for (const kind of Object.keys(texts.small)) {
        await expectLinear(kind, (size) => sendField(server, agent, field, texts[size][kind] ?? ''))
      }
    },
  )

  test('headers and query parameters take time in proportion to their length', async () => {
    const [short, long] = [probesOf(7500), probesOf(60_000)]
    for (const kind of Object.keys(short)) {
      const requests = {
        small: requestsWith(short[kind] ?? ''),
        large: requestsWith(long[kind] ?? ''),
      }
      for (const at of requests.small.keys()) {
        await expectLinear(`${kind} ${at}`, (size) => {
          const [path = '', headers = {}] = requests[size][at] ?? []
          return server.http(path, { headers })
        })
      }
    }
  })

  test('a megabyte of nonsense takes at most ten times as long as a megabyte that is valid JSON', async () => {
    const send = (body: string) =>
      server.http('/api/v1/agents/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
    const valid = JSON.stringify({ username: 'UPPER', bio: Array(480_000).fill(1) })
    const baseline = await cpuTimeOf(() => send(valid))
    for (const [what, content] of Object.entries(nonsense)) {
      const body = JSON.stringify(content)
      expect(await cpuTimeOf(() => send(body)), what).toBeLessThan(10 * baseline + 50)
    }
  })
})

test('a gzip bomb of 200 MiB takes less than 100 MiB of memory', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '))
  const before = process.memoryUsage().rss
  const answer = await server.http('/api/v1/skills', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${agent.apiKey}`,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    },
    body: bomb,
  })
  expect(answer.status).toBe(413)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})

test('400 connections that never finish a request add less than 100 ms to the p99 of other clients', async () => {
  const p99 = async () => {
    const times: number[] = []
    for (let i = 0; i < 300; i++) {
      const started = performance.now()
      const answer = await server.http('/api/v1/skills/search?q=anything')
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
      times.push(performance.now() - started)
    }
    return times.sort((a, b) => a - b)[297] ?? Number.NaN
  }
  await p99()
  const alone = await p99()
  const slow = (await openSlowConnections(server.url)).slice(200)
  let isDripping = true
  const dripping = (async () => {
    while (isDripping) {
      for (const socket of slow) if (socket.writable) socket.write('a')
      await pause(50)
    }
  })()
  const beside = await p99()
  isDripping = false
  await dripping
  reportFigure(
    `p99 of other clients: ${alone.toFixed(1)} ms, ${beside.toFixed(1)} ms beside 400 slow`,
  )
  expect(beside).toBeLessThan(100 + 2 * alone)
})
