import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { startThread } from '../../runtime/start-thread.ts'
import type { ReadBatch } from '../indexing/read-batch.ts'
import type { SavedWords } from '../lexicon/word-table.ts'
import type { SkillText } from '../text/skill-text.ts'

/** A thread that reads batches of skills, one after the other. */
export interface ReadThread {
  /** Batches that were sent and have not come back. */
  readonly outstanding: number
  send(skills: readonly SkillText[]): void
  /** Whether the batch that was sent first has been read by now. */
  readonly isReady: boolean
  /** The batch that was sent first, waiting for it; nothing once the thread has failed. */
  receive(): ReadBatch | undefined
  close(): void
}

/** What the thread is started with. */
export interface ReadThreadData {
  port: MessagePort
  /** The words that are known so far. */
  words: SavedWords
  /** How many batches were read. */
  done: Int32Array
}

/** How long a batch may take before the thread is given up, ms. */
const PATIENCE = 10_000

export function startReadThread(words: SavedWords): ReadThread {
  const { port1: port, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: ReadThreadData = { port: port2, words, done }
  const worker = startThread('./read-worker', import.meta.url, {
    workerData,
    transferList: [port2],
  })
  worker.unref()
  // a thread that fails gives nothing, and who waits goes on without it
  worker.on('error', () => {})
  let hasFailed = false
  let sent = 0
  let received = 0
  return {
    get outstanding() {
      return sent - received
    },
    send(skills) {
      port.postMessage(
        skills.map(({ name, slug, description, tags, readme }) => {
          return { name, slug, description, tags, readme }
        }),
      )
      sent++
    },
    get isReady() {
      return Atomics.load(done, 0) > received
    },
    receive() {
      while (!hasFailed && Atomics.load(done, 0) === received) {
        hasFailed = Atomics.wait(done, 0, received, PATIENCE) === 'timed-out'
      }
      if (hasFailed) return undefined
      received++
      return receiveMessageOnPort(port)?.message as ReadBatch | undefined
    },
    close: () => port.close(),
  }
}
