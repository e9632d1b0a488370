import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { gatherMetrics } from './gather-metrics.ts'
import { FromWorker } from './messages.ts'
import { closeUntaken } from './untaken.ts'

/** A worker that has lived for so long, ms, is replaced at once; others after a growing pause. */
const steadyMs = 60_000
const shortestPauseMs = 100
const longestPauseMs = 10_000

/** How a worker ended. */
interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** A worker that was started. */
interface Started {
  readonly worker: Worker
  readonly ended: Promise<End>
  /** Resolves when it serves everything; never where it ends before. */
  readonly ready: Promise<void>
}

/**
 * Runs `count` workers behind one port until SIGTERM or SIGINT, and gives the exit code. The first one
 * migrates the database; the others start when it serves, and take connections when they serve. One that
 * dies is replaced. Where the first one cannot start, nothing does.
 */
export async function superviseWorkers(count: number, log: Logger): Promise<number> {
  const alive = new Set<Worker>()
  const ready = new Set<Worker>()
  const stopping = new AbortController()
  const stop = () => {
    stopping.abort()
    for (const worker of alive) worker.process.kill('SIGTERM')
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  gatherMetrics(ready)

  function start(): Started {
    const worker = cluster.fork()
    closeUntaken(worker)
    alive.add(worker)
    const ended = new Promise<End>((resolve) => {
      worker.once('exit', (code, signal) => {
        alive.delete(worker)
        ready.delete(worker)
        resolve({ code, signal })
      })
    })
    const isReady = new Promise<void>((resolve) => {
      worker.on('message', (message) => {
        if (FromWorker.safeParse(message).data?.kind !== 'ready') return
        ready.add(worker)
        resolve()
      })
    })
    return { worker, ended, ready: isReady }
  }

  /** Replaces a worker, and those that replace it, whenever they die; gives how the last one ended. */
  async function keep(first: Started): Promise<End> {
    let pauseMs = 0
    for (let { worker, ended } = first; ; { worker, ended } = start()) {
      const started = performance.now()
      const end = await ended
      if (stopping.signal.aborted) return end
      const isSteady = performance.now() - started > steadyMs
      pauseMs = isSteady ? 0 : Math.min(longestPauseMs, 2 * pauseMs || shortestPauseMs)
      log.error({ worker: worker.process.pid, ...end, pauseMs }, 'a worker has died, replacing it')
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return { code: 0, signal: null }
    }
  }

  const first = start()
  const early = await Promise.race([first.ready, first.ended])
  if (early) return exitCode(early)
  const others = Array.from({ length: stopping.signal.aborted ? 0 : count - 1 }, start)
  const ends = await Promise.all([first, ...others].map(keep))
  return Math.max(...ends.map(exitCode))
}

/** A worker that does not listen for SIGTERM yet is ended by it, and has begun nothing. */
const exitCode = ({ code, signal }: End): number => (signal === 'SIGTERM' ? 0 : (code ?? 1))
