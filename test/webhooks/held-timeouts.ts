import { vi } from 'vitest'
import { afterFile } from '../support/cleanup.ts'
import { ceilingMs } from '../support/waiting.ts'

/** The time that an endpoint has to answer a webhook (`outbound/post.ts`), ms. */
const answerTime = 3000

/**
 * Holds the timeouts of answers until `expire` runs them. So no attempt of a webhook times out because
 * a machine is slow, and no test waits for one that shall. Ends with the file.
 */
export function holdTimeouts() {
  const waiting = new Map<unknown, () => void>()
  const { setTimeout: setReal, clearTimeout: clearReal } = globalThis
  const set = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((callback, ms, ...args: unknown[]) => {
      const run = () => void Reflect.apply(callback, undefined, args)
      if (ms !== answerTime) return setReal(run, ms)
      const timer = setReal(run, ceilingMs)
      waiting.set(timer, run)
      return timer
    })
  const clear = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    waiting.delete(timer)
    clearReal(timer)
  })
  afterFile(async () => {
    set.mockRestore()
    clear.mockRestore()
  })
  return {
    expire() {
      const callbacks = [...waiting.values()]
      waiting.clear()
      for (const callback of callbacks) callback()
    },
  }
}
