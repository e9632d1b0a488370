import { parentPort } from 'node:worker_threads'
import { createCandidateFinder } from '../query/candidates.ts'
import { createEvidenceReader } from '../query/evidence.ts'
import { createRanker } from '../query/rank.ts'
import { createIndexReplica, type ReplicaUpdate } from './index-replica.ts'
import { readTask, writeRanked } from './rank-messages.ts'
import { READY } from './rank-pool.ts'

/** The thread that ranks: a task in, its ranking by the replica of the index out. */
const replica = createIndexReplica()
const finder = createCandidateFinder(replica)
const rank = createRanker(replica, finder, createEvidenceReader(replica), () => replica.norms)

parentPort?.on('message', (message: ReplicaUpdate | Float64Array) => {
  if (!(message instanceof Float64Array)) return replica.apply(message)
  const { query, options } = readTask(message)
  parentPort?.postMessage(writeRanked(rank(query, options), options.limit))
})
parentPort?.postMessage(READY)
