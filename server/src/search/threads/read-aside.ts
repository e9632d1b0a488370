import { availableParallelism } from 'node:os'
import type { ReadSkill } from '../document/forward-index.ts'
import { createBatchTaker } from '../indexing/read-batch.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import type { SkillText } from '../text/skill-text.ts'
import { startReadThread } from './read-thread.ts'

/** Reads skills in another thread while this one answers requests. */
export interface ReadAside {
  /** Reads skills, in their order; undefined where no thread can, so that the caller reads them. */
  read(skills: readonly SkillText[]): Promise<ReadSkill[] | undefined>
  close(): void
}

/** A thread without skills ends after this time, since its words hold on to memory. */
const IDLE_MS = 60_000

export function createReadAside(vocabulary: Vocabulary): ReadAside {
  let mayStart = availableParallelism() > 1
  let reader: ReturnType<typeof start> | undefined
  let idle: NodeJS.Timeout | undefined
  return { read, close }

  async function read(skills: readonly SkillText[]): Promise<ReadSkill[] | undefined> {
    if (!mayStart) return undefined
    reader ??= start()
    const { thread, number } = reader
    clearTimeout(idle)
    thread.send(skills)
    const batch = await thread.next()
    if (batch === undefined) close()
    else if (thread.outstanding === 0) idle = setTimeout(end, IDLE_MS).unref()
    return batch && [...number(batch)]
  }

  /** A thread with the words that are known now, and what gives its words their numbers here. */
  function start() {
    return {
      thread: startReadThread(vocabulary.save().words),
      number: createBatchTaker(vocabulary),
    }
  }

  function end(): void {
    clearTimeout(idle)
    reader?.thread.close()
    reader = undefined
  }

  function close(): void {
    mayStart = false
    end()
  }
}
