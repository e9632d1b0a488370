import { type Caller, dropIfLeft } from './patience.ts'

/** Jobs of some milliseconds, which may come by the dozen within one turn of the event loop. */
export interface Turns {
  /**
   * Begins a job in this turn, or in a later one where this one's share is used up: in the order of the
   * calls, with what else has come in between. Gives what it gives, or throws 503 where the caller has
   * left before it began.
   */
  run<T>(job: () => T | Promise<T>, caller?: Caller): Promise<T>
}

/** After so much of a turn, from its first job on, the next has to wait, ms. */
const SHARE_MS = 3

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let begun = 0
  let isOver = true
  return { run }

  function run<T>(job: () => T | Promise<T>, caller?: Caller): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          dropIfLeft(caller)
          resolve(job())
        } catch (error) {
          reject(error)
        }
      })
      if (isOver) begin()
      else work()
    })
  }

  function begin(): void {
    isOver = false
    begun = performance.now()
    setImmediate(end)
    work()
  }

  function work(): void {
    if (performance.now() - begun >= SHARE_MS) return
    waiting.shift()?.()
    // not before what the job has begun is at its next wait, so that it counts as well
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(work))
  }

  function end(): void {
    isOver = true
    if (waiting.length > 0) begin()
  }
}
