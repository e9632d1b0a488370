import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { reportFigure } from '../../support/rounds.ts'
import { probedFields, probesOf, sendField, startProbedServer } from './probes.ts'
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

test('300 connections that never finish a request add less than 100 ms to the p99 of other clients', async () => {
  const p99 = async (beside = () => {}) => {
    const times: number[] = []
    for (let i = 0; i < 300; i++) {
      beside()
      const started = performance.now()
      await (await server.http('/api/v1/skills/search?q=anything')).arrayBuffer()
      times.push(performance.now() - started)
    }
    return times.sort((a, b) => a - b)[297] ?? Number.NaN
  }
  await p99()
  const alone = await p99()
  const beside = await p99(await openSlowConnections(server.url))
  reportFigure(
    `p99 of other clients: ${alone.toFixed(1)} ms, ${beside.toFixed(1)} ms beside 300 slow`,
  )
  expect(beside).toBeLessThan(100 + 2 * alone)
})
