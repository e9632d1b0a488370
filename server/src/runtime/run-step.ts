import { setImmediate as nextTurn } from 'node:timers/promises'

/** For how long steps of jobs may hold the event loop before requests have their turn, ms. */
const share = 4

let last: Promise<unknown> = Promise.resolve()
let turnBegan = 0

/**
 * Runs a step of a job that takes some milliseconds, one step after the other. Once steps have held the
 * event loop for `share`, the next one waits until other work has run. Throws the reason of an aborted
 * signal instead of running the step.
 */
export function runStep<T>(step: () => T, signal?: AbortSignal): Promise<T> {
  const result = last.then(async () => {
    if (performance.now() - turnBegan > share) {
      await nextTurn()
      turnBegan = performance.now()
    }
    signal?.throwIfAborted()
    return step()
  })
  last = result.catch(() => {})
  return result
}

/** Runs all steps of a job; gives what it returns. */
export async function runSteps<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = await runStep(() => steps.next(), signal)
    if (step.done) return step.value
  }
}
