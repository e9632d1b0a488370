import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type ReadBatch, skillsOf } from './read-batch.ts'
import type { ReadableSkill, ReadSkill, SkillReader } from './read-skill.ts'
import { startThread } from './thread.ts'
import type { Vocabulary } from './vocabulary.ts'
import type { SavedWords } from './word-table.ts'

/** A skill, and who takes it once it is read. */
export interface Unread {
  skill: ReadableSkill
  take(read: ReadSkill): void
}

/**
 * Reads skills in another thread while those before them are taken in this one, in their order. Words
 * get the numbers that they would get without.
 */
export interface ReadAhead {
  /** Some time later it is taken, within this or another call. */
  add(unread: Unread): void
  /** All that were added are taken. */
  settle(): void
  /** The same, and the thread ends: from here on all is read in this one. */
  finish(): void
}

/** What the thread is started with. */
export interface ReadThreadData {
  port: MessagePort
  /** The words that are known so far. */
  words: SavedWords
  /** How many batches were read. */
  done: Int32Array
}

/** A batch holds this many skills or characters, some ten milliseconds' work. */
const BATCH_SKILLS = 64
const BATCH_CHARACTERS = 500_000

/** Batches that the thread may have at a time: some take ten times as long as others. */
const MOST_SENT = 8

/** So many skills are read here sooner than a thread starts. */
const BEFORE_THREAD = 1000

/** How long a batch may take before it is read here, ms. */
const PATIENCE = 10_000

/** `reader` reads what no thread does: where there is one processor only, or the thread fails. */
export function createReadAhead(vocabulary: Vocabulary, reader: SkillReader): ReadAhead {
  let thread: ReadThreadData | undefined
  let mayStart = availableParallelism() > 1
  let readFirst = 0
  let gathered: Unread[] = []
  let characters = 0
  /** Batches that the thread has, and how many came back. */
  const sent: Unread[][] = []
  let received = 0
  return { add, settle, finish }

  function add(unread: Unread): void {
    if (thread === undefined && mayStart && readFirst >= BEFORE_THREAD) start()
    if (thread === undefined) {
      readFirst++
      readHere([unread])
      return
    }
    gathered.push(unread)
    characters += unread.skill.readme.length
    if (gathered.length >= BATCH_SKILLS || characters >= BATCH_CHARACTERS) send(thread)
    if (sent.length === MOST_SENT) receive()
  }

  function settle(): void {
    if (thread && gathered.length > 0) send(thread)
    while (sent.length > 0) receive()
  }

  function finish(): void {
    settle()
    mayStart = false
    end()
  }

  function start(): void {
    mayStart = false
    const { port1, port2 } = new MessageChannel()
    const done = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    thread = { port: port1, words: vocabulary.save().words, done }
    const workerData: ReadThreadData = { ...thread, port: port2 }
    const worker = startThread('./read-worker', { workerData, transferList: [port2] })
    worker.unref()
    // a thread that fails gives nothing, and `receive` goes on without it
    worker.on('error', () => {})
  }

  function send({ port }: ReadThreadData): void {
    port.postMessage(
      gathered.map(({ skill: { name, slug, description, tags, readme } }) => {
        return { name, slug, description, tags, readme }
      }),
    )
    sent.push(gathered)
    gathered = []
    characters = 0
  }

  /** Has the batch taken that was sent first, and all without the thread if it fails. */
  function receive(): void {
    const read = waitForBatch()
    // words that were interned beside have the numbers of others in the thread
    if (read?.known !== vocabulary.count) {
      end()
      readHere([...sent.splice(0), gathered].flat())
      gathered = []
      return
    }
    const batch = sent.shift() ?? []
    let next = 0
    for (const skill of skillsOf(read, vocabulary)) batch[next++]?.take(skill)
  }

  function waitForBatch(): ReadBatch | undefined {
    if (thread === undefined) return undefined
    const { done, port } = thread
    while (Atomics.load(done, 0) === received) {
      if (Atomics.wait(done, 0, received, PATIENCE) === 'timed-out') return undefined
    }
    received++
    return receiveMessageOnPort(port)?.message as ReadBatch | undefined
  }

  function readHere(skills: readonly Unread[]): void {
    for (const { skill, take } of skills) take(reader.read(skill))
  }

  function end(): void {
    thread?.port.close()
    thread = undefined
  }
}
