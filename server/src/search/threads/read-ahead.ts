import { availableParallelism } from 'node:os'
import type { ReadSkill } from '../document/forward-index.ts'
import { createBatchReader, createBatchTaker } from '../indexing/read-batch.ts'
import type { SkillReader } from '../indexing/read-skill.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import type { SavedWords } from '../lexicon/word-table.ts'
import type { SkillText } from '../text/skill-text.ts'
import { type ReadThread, startReadThread } from './read-thread.ts'

/** A skill, and who takes it once it is read. */
export interface Unread {
  skill: SkillText
  take(read: ReadSkill): void
}

/**
 * Reads skills in another thread, and in this one when that has enough to do: it takes a third off the main
 * thread's work at a start without snapshot. Words get the same numbers as without the thread.
 */
export interface ReadAhead {
  /** Takes the skill some time later, within this or another call. */
  add(unread: Unread): void
  /** All that were added are taken. */
  settle(): void
  /** All that were added are taken, and the thread ends: from here on this one reads. */
  finish(): void
}

/** A batch holds this many skills or characters, some ten milliseconds' work. */
const BATCH_SKILLS = 64
const BATCH_CHARACTERS = 500_000

/**
 * Batches that the thread has at a time: few while it starts, and one more for each that came back. It
 * idles with less while this one takes those it has read.
 */
const FIRST_SENT = 2
const MOST_SENT = 12

/** Batches on their way at most: some take ten times as long as others. */
const MOST_WAITING = 32

/** Skills that this thread reads before another starts. */
const BEFORE_THREAD = 1000

/** A batch on its way. */
interface Batch {
  skills: readonly Unread[]
  isRead(): boolean
  /** What was read, once it is; nothing if the thread failed. */
  read(): Iterable<ReadSkill> | undefined
}

/** `reader` reads what no thread does: where there is one processor only, or the thread fails. */
export function createReadAhead(
  vocabulary: Vocabulary,
  reader: SkillReader,
  startThread: (words: SavedWords) => ReadThread = startReadThread,
): ReadAhead {
  let readers: Readers | undefined
  let mayStart = availableParallelism() > 1
  let readFirst = 0
  let gathered: Unread[] = []
  let characters = 0
  /** In the order of their skills. */
  const waiting: Batch[] = []
  return { add, settle, finish }

  function add(unread: Unread): void {
    if (mayStart && readFirst >= BEFORE_THREAD) {
      mayStart = false
      readers = startReaders(vocabulary, startThread)
    }
    if (readers === undefined) {
      readFirst++
      readNow([unread])
      return
    }
    gathered.push(unread)
    characters += unread.skill.readme.length
    if (gathered.length >= BATCH_SKILLS || characters >= BATCH_CHARACTERS) dispatch(readers)
    // one at a time: whoever loads lets others run between two skills
    if (waiting.length > MOST_WAITING || waiting[0]?.isRead()) takeFirst()
  }

  function settle(): void {
    if (readers && gathered.length > 0) dispatch(readers)
    while (waiting.length > 0) takeFirst()
  }

  function finish(): void {
    settle()
    mayStart = false
    end()
  }

  function dispatch({ read }: Readers): void {
    waiting.push(read(gathered))
    gathered = []
    characters = 0
  }

  function takeFirst(): void {
    const { skills, read } = waiting.shift() as Batch
    const done = read()
    if (done === undefined) {
      readNow(skills)
      giveUp()
      return
    }
    let next = 0
    for (const skill of done) skills[next++]?.take(skill)
  }

  /** Goes on without the thread. */
  function giveUp(): void {
    end()
    while (waiting.length > 0) takeFirst()
    readNow(gathered.splice(0))
  }

  function end(): void {
    readers?.end()
    readers = undefined
  }

  function readNow(skills: readonly Unread[]): void {
    for (const { skill, take } of skills) take(reader.read(skill))
  }
}

type Readers = ReturnType<typeof startReaders>

/** The thread and a reader like the thread's here, both from the words that are known now. */
function startReaders(vocabulary: Vocabulary, startThread: typeof startReadThread) {
  const { words } = vocabulary.save()
  const thread = startThread(words)
  const readHere = createBatchReader(words)
  const numberThere = createBatchTaker(vocabulary)
  const numberHere = createBatchTaker(vocabulary)
  let mostSent = FIRST_SENT
  return { read, end: thread.close }

  function read(unread: readonly Unread[]): Batch {
    const skills = unread.map(({ skill }) => skill)
    if (thread.outstanding < mostSent) {
      thread.send(skills)
      return { skills: unread, isRead: () => thread.isReady, read: readThere }
    }
    const batch = readHere(skills)
    return { skills: unread, isRead: () => true, read: () => numberHere(batch) }
  }

  function readThere(): Iterable<ReadSkill> | undefined {
    const batch = thread.receive()
    mostSent = Math.min(MOST_SENT, mostSent + 1)
    return batch && numberThere(batch)
  }
}
