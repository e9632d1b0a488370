import { setImmediate as nextTurn } from 'node:timers/promises'

/** Maximum time that steps of jobs hold the event loop before requests run, ms. */
const share = 4

let last: Promise<unknown> = Promise.resolve()
let turnBegan = 0

/** A function that returns no promise. */
type Synchronous<T> = (() => T) &
  ([Extract<T, PromiseLike<unknown>>] extends [never] ? unknown : never)

/**
 * Queues a step of a long job; steps run one at a time, so none may wait for anything. After steps
 * have held the event loop for `share`, the next one first lets other work run. Throws the signal's
 * reason if it has aborted.
 */
export function runStep<T>(step: Synchronous<T>, signal?: AbortSignal): Promise<T> {
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

export async function runSteps<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = await runStep(() => steps.next(), signal)
    if (step.done) return step.value
  }
}
