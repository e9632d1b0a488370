import { vi } from 'vitest'
import { afterFile } from '../support/cleanup.ts'
import { ceilingMs } from '../support/waiting.ts'

/** Time limit of a webhook response (`outbound/post.ts`), ms. */
const responseTimeout = 3000

/**
 * Replaces response timeouts until the end of the file. They fire only when a test calls `expire`,
 * so slow machines cause no timeouts and no test waits for one.
 */
export function holdTimeouts() {
  const waiting = new Map<unknown, () => void>()
  const { setTimeout: setReal, clearTimeout: clearReal } = globalThis
  const set = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((callback, ms, ...args: unknown[]) => {
      const run = () => void Reflect.apply(callback, undefined, args)
      if (ms !== responseTimeout) return setReal(run, ms)
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
