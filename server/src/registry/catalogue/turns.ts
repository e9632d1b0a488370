/** Jobs of some milliseconds, which may come by the dozen within one turn of the event loop. */
export interface Turns {
  /**
   * Does a job in this turn, or in a later one where this one has worked its share: in the order of the
   * calls, with what else has come in between.
   */
  run<T>(job: () => T): Promise<T>
}

/** What jobs may take of a turn before the next has to wait, ms. */
const SHARE_MS = 5

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let spentMs = 0
  let isOver = true
  return { run }

  function run<T>(job: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(job())
        } catch (error) {
          reject(error)
        }
      })
      work()
    })
  }

  function work(): void {
    if (isOver) {
      isOver = false
      setImmediate(begin)
    }
    while (waiting.length > 0 && spentMs < SHARE_MS) {
      const begun = performance.now()
      waiting.shift()?.()
      spentMs += performance.now() - begun
    }
  }

  function begin(): void {
    isOver = true
    spentMs = 0
    if (waiting.length > 0) work()
  }
}
