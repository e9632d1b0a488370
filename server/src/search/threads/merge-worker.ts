import { parentPort } from 'node:worker_threads'
import { type MergeJob, mergeSegments } from '../segment/merge.ts'

/** The thread that merges segments: a job in, the buffer of the merged segment out. */
parentPort?.on('message', (job: MergeJob) => parentPort?.postMessage(mergeSegments(job)))
