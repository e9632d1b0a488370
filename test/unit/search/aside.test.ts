import { setImmediate as turn } from 'node:timers/promises'
import { createSkillIndex, type ResolveOptions } from '@skillpass/server/search/index'
import type { RankedBy } from '@skillpass/server/search/query/rank'
import type { ReplicaUpdate } from '@skillpass/server/search/threads/index-replica'
import { createRankPool } from '@skillpass/server/search/threads/rank-pool'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { seededRandom } from '../../support/random.ts'
import { oneProcessor } from '../../support/rounds.ts'
import { until } from '../../support/waiting.ts'

const random = seededRandom(5)
const word = () => `w${Math.floor(random() ** 3 * 400)}x`
const words = (count: number) => Array.from({ length: count }, word).join(' ')

const textOf = (slot: number) => ({
  name: words(2),
  slug: `tool-${slot}`,
  description: words(8),
  tags: [word()],
  readme: `# ${words(3)}\n\n${words(80)}`,
})

/** An index of segments with live and dead skills; a third are copies of one another. */
function filled() {
  const index = createSkillIndex((error) => expect.unreachable(String(error)))
  const copied = textOf(0)
  for (let slot = 0; slot < 700; slot++) {
    index.put(slot, slot % 3 === 0 ? copied : textOf(slot))
  }
  for (let slot = 0; slot < 700; slot += 11) index.remove(slot)
  return { index, copied }
}

type Index = ReturnType<typeof filled>['index']

const order = (a: number, b: number) => b - a
let times = 0

/** Asks new tasks until another thread ranks one. */
async function untilThreadRanks(index: Index): Promise<void> {
  let last: RankedBy | undefined
  const onRanked = (by: RankedBy) => {
    last = by
  }
  while (last !== 'thread') {
    await index.resolveAside(words(30), { limit: 10, threshold: ++times * 1e-9, order, onRanked })
    await turn()
  }
}

describe.skipIf(oneProcessor !== '')(`resolving in another thread${oneProcessor}`, () => {
  const { index, copied } = filled()
  beforeAll(() => untilThreadRanks(index))
  afterAll(() => index.close())

  test('a task that another thread ranks has the answer of the main thread', async () => {
    const ranked: RankedBy[] = []
    const prior = (slot: number) => (slot % 5) / 5
    const demotion = (slot: number) => (slot % 7 === 0 ? 0.6 : 1)
    const tasks = [words(1), words(6), words(40), copied.name, copied.description, '?']
    for (const limit of [1, 50]) {
      for (const threshold of [-1, 0.02, 0.3]) {
        for (const task of tasks) {
          for (const more of [{}, { prior, demotion }]) {
            const least = threshold + ++times * 1e-9
            const options: ResolveOptions = { limit, threshold: least, order, ...more }
            const onRanked = (by: RankedBy) => ranked.push(by)
            const aside = await index.resolveAside(task, { ...options, onRanked })
            expect(aside).toEqual(index.resolve(task, options))
          }
        }
      }
    }
    expect(ranked).toContain('thread')
  })

  test('a task that another thread ranks is ranked again if a skill comes, changes or goes meanwhile', async () => {
    const task = 'paint a heron in water colours'
    const readme =
      '# Heron painter\n\nTo paint a heron, begin with the water and mix the colours of it.'
    const heron = { ...textOf(900), name: 'Heron painter', description: task, readme }
    const slotsAfter = async (change: () => void, threshold: number) => {
      const asked = index.resolveAside(task, { limit: 5, threshold, order })
      change()
      return (await asked).hits.map(({ slot }) => slot)
    }
    expect(await slotsAfter(() => index.put(900, heron), 0.31)).toEqual([900])
    expect(await slotsAfter(() => index.put(901, heron), 0.32)).toEqual([901, 900])
    expect(await slotsAfter(() => index.put(901, textOf(901)), 0.33)).toEqual([900])
    expect(await slotsAfter(() => index.remove(900), 0.34)).toEqual([])
    // By the next task the thread knows the changes.
    const ranked: RankedBy[] = []
    index.put(902, heron)
    const { hits } = await index.resolveAside(task, {
      limit: 5,
      threshold: 0.35,
      onRanked: (by) => ranked.push(by),
    })
    expect([ranked, hits.map(({ slot }) => slot)]).toEqual([['thread'], [902]])
  })

  test('a thread that ranks follows merged segments and loaded catalogues', async () => {
    for (let round = 0; round < 3; round++) {
      const task = words(5)
      const options = { limit: 20, threshold: 0, order }
      for (let slot = 1000; slot < 1060; slot++) index.put(slot, textOf(slot))
      const changing = await index.resolveAside(task, options)
      expect(changing).toEqual(index.resolve(task, options))
      index.beginLoad()
      for (let slot = 2000; slot < 2100; slot++) index.put(slot, textOf(slot))
      expect(await index.resolveAside(task, options)).toEqual(index.resolve(task, options))
      index.endLoad()
      await index.settled()
      expect(await index.resolveAside(task, options)).toEqual(index.resolve(task, options))
    }
  })

  test('a task that another thread ranks is answered if the index is closed meanwhile', async () => {
    const options = { limit: 5, threshold: 0, order }
    const asked = index.resolveAside('w1x w2x', options)
    await index.close()
    expect(await asked).toEqual(index.resolve('w1x w2x', options))
    expect(await index.resolveAside('w3x w4x', options)).toEqual(index.resolve('w3x w4x', options))
  })
})

describe('tasks that come at once', () => {
  test('without other threads, tasks are ranked for three milliseconds of each turn of the event loop', async () => {
    const { index } = filled()
    onTestFinished(() => index.close())
    // Each ranking takes one millisecond.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++)
    onTestFinished(() => clock.mockRestore())
    let ranked = 0
    const onRanked = (by: RankedBy) => {
      expect(by).toBe('main')
      ranked++
    }
    const options = { limit: 5, threshold: 0, order, onRanked }
    const asked = Promise.all(
      Array.from({ length: 7 }, () => index.resolveAside(words(5), options)),
    )
    for (const byNow of [3, 6, 7]) {
      await turn()
      expect(ranked).toBe(byNow)
    }
    expect(await asked).toHaveLength(7)
  })
})

describe('threads that rank', () => {
  const query = { terms: [], pairs: [], bound: 0, idf: 0, weights: {} }
  const empty: ReplicaUpdate = {
    ...{ size: 0, count: 0, lastStop: 0, norms: new Float64Array() },
    ...{ parts: [], live: [] },
  }
  const damaged: ReplicaUpdate = {
    ...empty,
    parts: [
      {
        ...{ number: 1, living: 1 },
        sent: { buffer: new SharedArrayBuffer(4096), dead: new Uint8Array(1) },
      },
    ],
  }
  const asked = { limit: 1, threshold: 0 }
  /** A ranking by the thread that is next; nothing where it is the main thread's turn. */
  const rank = async (threads: ReturnType<typeof createRankPool>) =>
    (await threads.next())?.rank(query, asked)

  function threadsThatKnow(documents: ReplicaUpdate, most = 1) {
    const failures: unknown[] = []
    const threads = createRankPool(
      () => () => documents,
      (error) => failures.push(error),
      most,
    )
    onTestFinished(() => threads.close())
    return { threads, failures }
  }

  test('the main thread ranks everything after another thread has failed', async () => {
    const { threads, failures } = threadsThatKnow(damaged)
    threads.spent(200)
    await until('a thread is ready', () => threads.areThere)
    const rows = await Promise.all(Array.from({ length: 6 }, () => rank(threads)))
    expect(rows).toEqual(Array.from({ length: 6 }, () => undefined))
    expect(String(failures)).toMatch(/no segment of the index/)
    threads.spent(200)
    // A thread that was started later is ready, and none of these is.
    const others = threadsThatKnow(empty).threads
    others.spent(200)
    await until('another thread is ready', () => others.areThere)
    expect(threads.areThere).toBe(false)
  })

  test('a thread ends after a minute without a task, and another one starts later', async () => {
    onTestFinished(() => {
      vi.useRealTimers()
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { threads } = threadsThatKnow(empty)
    const start = async () => {
      threads.spent(200)
      while (!threads.areThere) await turn()
    }
    await start()
    vi.advanceTimersByTime(50_000)
    expect(await rank(threads)).toBeInstanceOf(Float64Array)
    vi.advanceTimersByTime(50_000)
    expect(threads.areThere).toBe(true)
    vi.advanceTimersByTime(20_000)
    expect(threads.areThere).toBe(false)
    await start()
    expect(await rank(threads)).toBeInstanceOf(Float64Array)
  })
})
