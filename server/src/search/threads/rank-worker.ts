import { parentPort } from 'node:worker_threads'
import { createCandidateFinder } from '../query/candidates.ts'
import { createEvidenceReader } from '../query/evidence.ts'
import { createRanker } from '../query/rank.ts'
import { createToldDocuments, type DocumentsMessage } from './index-replica.ts'
import { readTask, writeRanked } from './rank-messages.ts'
import { READY } from './rank-pool.ts'

/** The thread that ranks: tasks in, a ranking for each out, of the documents it was told of last. */
const told = createToldDocuments()
const finder = createCandidateFinder(told)
const rank = createRanker(told, finder, createEvidenceReader(told), () => told.norms)

parentPort?.on('message', (message: DocumentsMessage | Float64Array) => {
  if (!(message instanceof Float64Array)) return told.hear(message)
  const { query, options } = readTask(message)
  parentPort?.postMessage(writeRanked(rank(query, options), options.limit))
})
parentPort?.postMessage(READY)
