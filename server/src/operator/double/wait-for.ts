import { setTimeout as pause } from 'node:timers/promises'

/** Repeats `find` until it finds something. Returns undefined after `timeout` ms of real time. */
export async function waitFor<T>(
  timeout: number,
  find: () => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + timeout
  for (;;) {
    const found = await find()
    if (found !== undefined || performance.now() >= end) return found
    await pause(10)
  }
}
