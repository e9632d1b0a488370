import { workerData } from 'node:worker_threads'
import { createBatchReader } from '../indexing/read-batch.ts'
import type { SkillText } from '../text/skill-text.ts'
import type { ReadThreadData } from './read-thread.ts'

/** The thread that reads skills: batches of texts in, a `ReadBatch` for each out. */
const { port, words, done } = workerData as ReadThreadData
const read = createBatchReader(words)

port.on('message', (skills: SkillText[]) => {
  const batch = read(skills)
  const { newWords, words, ends, lengths, nameHashes, prose } = batch
  const arrays = [newWords.pool, newWords.lengths, words, ends, lengths, nameHashes, prose]
  const buffers = arrays.map(({ buffer }) => buffer as ArrayBuffer)
  port.postMessage(batch, buffers)
  Atomics.add(done, 0, 1)
  Atomics.notify(done, 0)
})
