import type { Worker } from 'node:worker_threads'
import { startThread } from '../../runtime/start-thread.ts'
import type { MergeJob } from '../segment/merge.ts'

/** Merges segments away from the event loop, one job at a time. */
export interface Merger {
  /** The buffer of the merged segment; undefined when the merger was closed meanwhile. */
  merge(job: MergeJob): Promise<SharedArrayBuffer | undefined>
  /** Ends the thread, and a job under way with it. */
  close(): Promise<void>
}

/** A thread that starts with the first job, and keeps the process alive only while it works. */
export function createMerger(): Merger {
  let worker: Worker | undefined
  let isClosed = false
  /** The job under way. */
  let settle: { resolve(buffer?: SharedArrayBuffer): void; reject(error: Error): void } | undefined

  const start = (): Worker => {
    const thread = startThread('./merge-worker', import.meta.url)
    thread.on('message', (buffer: SharedArrayBuffer) => settle?.resolve(buffer))
    thread.on('error', (error) => settle?.reject(error))
    thread.on('exit', () => {
      worker = undefined
      settle?.resolve()
    })
    return thread
  }

  return {
    async merge(job) {
      if (isClosed) return undefined
      worker ??= start()
      const thread = worker
      thread.ref()
      try {
        return await new Promise((resolve, reject) => {
          settle = { resolve, reject }
          thread.postMessage(job)
        })
      } finally {
        settle = undefined
        // a thread that is being ended has to be waited for
        if (!isClosed) thread.unref()
      }
    },
    async close() {
      isClosed = true
      await worker?.terminate()
    },
  }
}
