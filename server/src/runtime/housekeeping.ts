import type { Logger } from 'pino'
import { isOutage } from '../errors/outage.ts'

/** Work that comes again as long as the server runs. */
export interface Chore {
  /** Milliseconds between two runs. */
  readonly every: number
  /** Whether it runs once more at the stop, so that nothing collected is lost. */
  readonly atStop?: boolean
  run(): Promise<unknown>
}

/** Runs chores, one at a time, until they are stopped; one that fails comes again at its next turn. */
export function startHousekeeping(
  log: Logger,
  chores: readonly Chore[],
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const run = (chore: Chore) => {
    running = running.then(chore.run).then(
      () => {},
      (error: unknown) => {
        if (isOutage(error)) return
        log.warn({ err: error }, 'housekeeping failed, trying again later')
      },
    )
  }
  const timers = chores.map((chore) => setInterval(run, chore.every, chore).unref())
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      for (const chore of chores) if (chore.atStop) run(chore)
      await running
    },
  }
}
