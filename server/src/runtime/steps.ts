import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Maximum time that steps of long jobs hold the event loop before requests run, ms. */
const share = 1

export type Steps = ReturnType<typeof createSteps>

/** Creates the queue in which a server's long jobs take turns on the event loop, step by step. */
export function createSteps() {
  let last = Promise.resolve()
  let turnBegan = 0
  return { pause, run }

  /**
   * Waits before a step of a job. Other work runs first if steps have held the event loop for
   * `share`. Throws the signal's reason if it has aborted.
   */
  function pause(signal?: AbortSignal): Promise<void> {
    const turn = last.then(async () => {
      if (performance.now() - turnBegan > share) {
        await nextTurn()
        turnBegan = performance.now()
      }
      signal?.throwIfAborted()
    })
    // Whoever awaits `turn` runs its step before the next turn looks at the time.
    last = turn.catch(() => {})
    return turn
  }

  /**
   * Runs a job, with a pause before each of its steps, and returns its result. A job that nobody
   * waits for can rest after each step, for `rest` times as long as the step took.
   */
  async function run<T>(job: Generator<void, T>, signal?: AbortSignal, rest = 0): Promise<T> {
    for (;;) {
      await pause(signal)
      const began = performance.now()
      const step = job.next()
      if (step.done) return step.value
      if (rest > 0) await sleep(rest * (performance.now() - began), undefined, { signal })
    }
  }
}
