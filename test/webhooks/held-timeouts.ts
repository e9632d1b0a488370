import { vi } from 'vitest'
import { afterFile } from '../support/cleanup.ts'
import { ceilingMs } from '../support/waiting.ts'

/** The time that an endpoint has to answer a webhook (`outbound/post.ts`), ms. */
export const answerTime = 3000

/** Timeouts of one length, which run when a test says so. */
export interface HeldTimeouts {
  /** The number of timeouts that wait. */
  count(): number
  /** Runs them all. */
  expire(): void
}

/** The callbacks of each length that is held, by their timer. */
const held = new Map<number, Map<unknown, () => void>>()

/**
 * Holds the timeouts of this length, ms, until `expire`. So no attempt of a webhook times out because
 * a machine is slow, and no test waits for one that shall. Ends with the file.
 */
export function holdTimeouts(ms: number): HeldTimeouts {
  if (held.size === 0) hold()
  const waiting = new Map<unknown, () => void>()
  held.set(ms, waiting)
  return {
    count: () => waiting.size,
    expire() {
      const callbacks = [...waiting.values()]
      waiting.clear()
      for (const callback of callbacks) callback()
    },
  }
}

function hold() {
  const { setTimeout: setReal, clearTimeout: clearReal } = globalThis
  const set = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((callback, ms, ...args: unknown[]) => {
      const run = () => void Reflect.apply(callback, undefined, args)
      const waiting = held.get(ms ?? 0)
      if (!waiting) return setReal(run, ms)
      const timer = setReal(run, ceilingMs)
      waiting.set(timer, run)
      return timer
    })
  const clear = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    for (const waiting of held.values()) waiting.delete(timer)
    clearReal(timer)
  })
  afterFile(async () => {
    held.clear()
    set.mockRestore()
    clear.mockRestore()
  })
}
