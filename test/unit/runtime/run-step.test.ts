import { setImmediate as turn } from 'node:timers/promises'
import { runStep } from '@skillpass/server/runtime/run-step'
import { beforeEach, expect, test, vi } from 'vitest'

let now = 0

beforeEach(async () => {
  now += 1000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  await runStep(() => {})
})

const steps = (count: number, ms: number, done: number[]) =>
  Array.from({ length: count }, (_, i) =>
    runStep(() => {
      now += ms
      done.push(i)
    }),
  )

test('steps run in their order, and those that would hold the event loop too long in later turns', async () => {
  const done: number[] = []
  const running = Promise.all(steps(6, 3, done))
  await turn()
  expect(done).toEqual([0, 1])
  await turn()
  expect(done).toEqual([0, 1, 2, 3])
  await running
  expect(done).toEqual([0, 1, 2, 3, 4, 5])
})

test('a step that fails, or whose signal has aborted, leaves the next one alone', async () => {
  const failing = runStep(() => {
    throw new RangeError('no')
  })
  const left = runStep(() => 'begun', AbortSignal.abort(new RangeError('left')))
  const next = runStep(() => 'done')
  await expect(failing).rejects.toThrow(new RangeError('no'))
  await expect(left).rejects.toThrow(new RangeError('left'))
  expect(await next).toBe('done')
})
