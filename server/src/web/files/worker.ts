import { parentPort } from 'node:worker_threads'
import { READY } from '../../runtime/bounded-thread.ts'
import { difference } from './difference.ts'
import { highlight } from './highlight.ts'
import type { Job } from './thread.ts'

/** The thread that highlights and compares the files of strangers. */
parentPort?.on('message', (job: Job) => {
  parentPort?.postMessage(
    'language' in job ? highlight(job.language, job.text) : difference(job.before, job.after),
  )
})
parentPort?.postMessage(READY)
