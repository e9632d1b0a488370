import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** Rests so many times as long as a job took, where others want the event loop too. */
const rest = 9

/** Share of the event loop's time that others must have had to count as wanting it. */
const noticed = 0.02

/** Runs jobs of some milliseconds that nobody waits for: all the time while nothing else is done, else a tenth. */
export interface SpareTime {
  run<T>(job: () => T): Promise<T>
}

export function createSpareTime(): SpareTime {
  let before = performance.eventLoopUtilization()
  let own = 0
  return {
    async run(job) {
      const begun = performance.now()
      const value = job()
      own = performance.now() - begun
      // At least one turn, so that what has come meanwhile is seen.
      await pause(othersWork() ? own * rest : 0)
      return value
    },
  }

  /** Whether others have worked since the last job ended. */
  function othersWork(): boolean {
    const now = performance.eventLoopUtilization()
    const { active, idle } = performance.eventLoopUtilization(now, before)
    before = now
    return active - own > noticed * (active + idle)
  }
}
