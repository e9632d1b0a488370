import { setTimeout as pause } from 'node:timers/promises'

/**
 * The longest that a test waits for a condition, ms. It is far more than a busy machine needs, so
 * that only a condition that never comes true fails a test.
 */
export const ceilingMs = 60_000

/** The longest that a whole test or hook may take before it counts as stuck, ms. */
export const stuckMs = 5 * ceilingMs

/** The limit in `npm run test:long`, whose tests repeat their work up to hundreds of times, ms. */
export const longStuckMs = 60 * ceilingMs

const intervalMs = 10

/** Waits until `check` returns true. Throws an error that names `what` after the ceiling. */
export async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + ceilingMs
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${ceilingMs / 1000} s`)
    await pause(intervalMs)
  }
}

/** Repeats `check` until it no longer throws. Throws its last error after the ceiling. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + ceilingMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
      await pause(intervalMs)
    }
  }
}

/** Creates a promise that resolves when `open` is called. */
export function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
