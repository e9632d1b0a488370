import { runStep } from '@skillpass/server/runtime/run-step'
import { expect, test } from 'vitest'

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
