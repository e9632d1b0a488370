import { setImmediate as turn } from 'node:timers/promises'
import { createTurns } from '@skillpass/server/runtime/turns'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

let now = 0

function workFor(ms: number): void {
  now += ms
}

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('jobs in turns', () => {
  test('jobs are done in their order, and those beyond the share of a turn in the next', async () => {
    const turns = createTurns()
    const done: number[] = []
    const jobs = Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        turns.run(() => {
          workFor(2)
          return done.push(i)
        }),
      ),
    )
    expect(done).toEqual([0, 1])
    await turn()
    expect(done).toEqual([0, 1, 2, 3])
    await turn()
    expect(done).toEqual([0, 1, 2, 3, 4])
    expect(await jobs).toEqual([1, 2, 3, 4, 5])
  })

  test('jobs that take little are all done in one turn', () => {
    const turns = createTurns()
    let done = 0
    for (let i = 0; i < 200; i++) void turns.run(() => done++)
    expect(done).toBe(200)
  })

  test('a job counts with what it continues in the same turn', async () => {
    const turns = createTurns()
    const begun: number[] = []
    const jobs = Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        turns.run(async () => {
          begun.push(i)
          if (i === 0) return workFor(6)
          await Promise.resolve()
          workFor(2)
        }),
      ),
    )
    expect(begun).toEqual([0])
    await turn()
    expect(begun).toEqual([0, 1, 2])
    await turn()
    expect(begun).toEqual([0, 1, 2, 3])
    await jobs
  })

  test('a job that fails leaves the next one alone', async () => {
    const turns = createTurns()
    const failing = turns.run(() => {
      workFor(6)
      throw new RangeError('no')
    })
    const next = turns.run(() => 'done')
    await expect(failing).rejects.toThrow(new RangeError('no'))
    expect(await next).toBe('done')
  })
})
