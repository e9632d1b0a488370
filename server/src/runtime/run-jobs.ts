import type { Logger } from 'pino'
import { createOutage } from '../errors/report-outage.ts'

export interface Job {
  readonly name: string
  /** Pause between the end of a run and the start of the next, ms. */
  readonly interval: number
  readonly atStart?: boolean
  /** The signal aborts when the server stops, which then waits for the run. */
  run(signal: AbortSignal): Promise<unknown>
  /** Runs after the last request. The signal aborts at the deadline of the stop. */
  atStop?(deadline: AbortSignal): Promise<unknown>
  /** Receives a function that starts a run early. */
  listen?(wake: () => void): void
}

/** Runs jobs until they are stopped. A job that fails is logged once and runs again. */
export function startJobs(log: Logger, jobs: readonly Job[]) {
  const stopping = new AbortController()
  const running = jobs.map((job) => startJob(log, job, stopping.signal))
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running.map(({ ended }) => ended()))
    },
    async finish(deadline: AbortSignal): Promise<void> {
      await Promise.all(running.map(({ finish }) => finish(deadline)))
    },
  }
}

function startJob(log: Logger, job: Job, stopping: AbortSignal) {
  const outage = createOutage(log, `${job.name} failed, trying again`, `${job.name} works again`)
  let [running, isWoken]: [Promise<void> | undefined, boolean] = [undefined, false]
  const attempt = async (run: Job['run'], signal: AbortSignal) => {
    try {
      await run(signal)
      outage.worked()
    } catch (error) {
      if (!signal.aborted) outage.failed({ err: error })
    }
  }
  const wake = () => {
    isWoken = true
    if (stopping.aborted || running) return
    isWoken = false
    running = attempt(job.run, stopping).then(() => {
      running = undefined
      if (isWoken) wake()
      else timer.refresh()
    })
  }
  const timer = setTimeout(wake, job.interval).unref()
  job.listen?.(wake)
  if (job.atStart) wake()
  return {
    async ended() {
      clearTimeout(timer)
      await running
    },
    finish: async (deadline: AbortSignal) => job.atStop && attempt(job.atStop, deadline),
  }
}
