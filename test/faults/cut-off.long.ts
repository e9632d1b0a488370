import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, engines, type TestDatabase } from '../support/databases.ts'
import { readMetrics, type ServerProcess, startProcess } from '../support/processes.ts'
import { reportFigure, seed } from '../support/rounds.ts'
import { type LoadFixture, prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'
import { startReads } from './load/reads.ts'
import {
  begunIn,
  createTimeline,
  isServed,
  longestOf,
  quantile,
  type Sent,
} from './load/timeline.ts'
import { type PausingProxy, startPausingProxy } from './pausing-proxy.ts'

/** How long a node is cut off, and how long both are watched before and after, ms. */
const awayMs = 15_000
const beforeMs = 2_000
const afterMs = 5_000

/** Few clients that rest between two acts, ms: what is watched is the fault, not a busy machine. */
const agents = 4
const restMs = 250

/** What holds on a quiet machine, ms. */
const bounds = { longest: 6_000, known: 4_500, refusal: 500, back: 3_000 }

describe.skipIf(!engines.includes('postgres'))('two nodes, one of them cut off', () => {
  let database: TestDatabase
  let toPostgres: PausingProxy
  let nodes: ServerProcess[] = []
  let fixtures: LoadFixture[]

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    toPostgres = await startPausingProxy(database.url)
    const start = (databaseUrl: string) => startProcess({ databaseUrl, env: limits })
    nodes = [await start(toPostgres.url), await start(database.url)]
    fixtures = await Promise.all(
      nodes.map(({ url }, i) => prepareFixture(database.url, url, `Load${i + 1}`)),
    )
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    await toPostgres?.close()
    await database?.remove()
  })

  test('a node cut off from Postgres answers 503 at once, serves reads from memory and leaves the other node alone', async () => {
    const watched = await watch(nodes, fixtures, database.url, toPostgres)
    const { cut, memory, other, cutAt, backAt, lost } = watched
    const known = begunIn(cut, cutAt + bounds.known, backAt)
    const recovered = cut.find((sent) => sent.at >= backAt && isServed(sent))
    const figures = [
      `longest request ${longestOf([...cut, ...memory, ...other]).toFixed(0)} ms`,
      `${known.length} refused while away, median ${quantile(known, 0.5).toFixed(1)} ms, p99 ${quantile(known, 0.99).toFixed(0)} ms`,
      `served again ${((recovered?.at ?? Number.NaN) - backAt).toFixed(0)} ms after the traffic`,
      `other node at most ${longestOf(begunIn(other, cutAt, backAt)).toFixed(0)} ms`,
      `${lost.length} acknowledged writes lost`,
    ]
    reportFigure(`cut off from Postgres for ${awayMs / 1000} s: ${figures.join(', ')}`)
    expect(lost).toEqual([])
    expectWithin([...cut, ...memory, ...other], bounds.longest)
    expectServed(memory)
    expectServed(other)
    expect(cut.filter((sent) => !isServed(sent) && sent.status !== 503)).toEqual([])
    expect(known.length).toBeGreaterThan(20)
    expect(known.filter(({ status }) => status !== 503)).toEqual([])
    expect(quantile(known, 0.5)).toBeLessThan(bounds.refusal)
    expectServed(begunIn(cut, backAt + bounds.back, Number.POSITIVE_INFINITY))
    const labels = '{service="postgres"}'
    expect(watched.metrics).toContain(`skillpass_away${labels} 1\n`)
    expect(watched.metricsAfter).toContain(`skillpass_away${labels} 0\n`)
    expect(watched.metricsAfter).toMatch(/^skillpass_outages_total\{service="postgres"\} [1-9]/m)
    expect(watched.metricsAfter).toMatch(/^skillpass_unavailable_total [1-9]/m)
    const rate = (from: number, to: number) => begunIn(other, from, to).length / (to - from)
    expect(rate(cutAt, backAt)).toBeGreaterThan(0.25 * rate(cutAt - beforeMs, cutAt))
  })
})

/** Limits that are never reached. */
const limits = {
  RATE_LIMIT_READS_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
  RATE_LIMIT_RESOURCE_PER_MINUTE: '1000000',
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: '1000000',
}

/** Watches both nodes under load while the first is cut off by a proxy. */
async function watch(
  nodes: readonly ServerProcess[],
  fixtures: readonly LoadFixture[],
  databaseUrl: string,
  proxy: PausingProxy,
) {
  const [first, second] = nodes
  if (!first || !second) throw new Error('There are not two nodes.')
  const writes = [createTimeline(), createTimeline()] as const
  const reads = createTimeline()
  const loadOn = ({ url }: ServerProcess, i: 0 | 1) => {
    const fixture = fixtures[i]
    if (!fixture) throw new Error('A node has no fixture.')
    return startMixedLoad({ url, fixture, seed: seed + i, send: writes[i].send, agents, restMs })
  }
  const loads = await Promise.all([loadOn(first, 0), loadOn(second, 1)])
  const reading = startReads({ url: first.url, send: reads.send, restMs })
  await pause(1_000)
  await pause(beforeMs)
  const cutAt = performance.now()
  proxy.pause()
  await pause(awayMs)
  const metrics = await readMetrics(first.url)
  const backAt = performance.now()
  proxy.resume()
  await pause(afterMs)
  const metricsAfter = await readMetrics(first.url)
  await Promise.all([...loads, reading].map((load) => load.stop()))
  const [cut, other] = [writes[0].sent, writes[1].sent]
  const verdicts = await Promise.all(loads.map((load) => load.verify(databaseUrl, second.url)))
  const lost = verdicts.flatMap((verdict) => verdict.lost)
  return { cut, memory: reads.sent, other, cutAt, backAt, lost, metrics, metricsAfter }
}

function expectServed(sent: readonly Sent[]): void {
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter((one) => !isServed(one))).toEqual([])
}

function expectWithin(sent: readonly Sent[], ms: number): void {
  expect(sent.filter((one) => one.ms > ms)).toEqual([])
}
