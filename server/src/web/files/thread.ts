import { LRUCache } from 'lru-cache'
import { Failure } from '../../errors/failure.ts'
import { createBoundedThread } from '../../runtime/bounded-thread.ts'
import { createFairQueue } from '../../runtime/fair-queue.ts'
import type { Hunk } from './difference.ts'
import { type Language, languageOf } from './languages.ts'

/** What the thread is asked for. */
export type Job =
  | { readonly language: Language; readonly text: string }
  | { readonly before: string; readonly after: string }

/**
 * Highlighting takes at most 0.2 s of CPU time for real files and minutes for hostile ones, and nothing but
 * the end of its thread ends it.
 */
const thread = createBoundedThread<Job, string | Hunk[] | null>(['./worker', import.meta.url], {
  ms: 1000,
  memory: 128,
})

/** Addresses take turns, so that the files of one keep nobody else's page waiting for long. */
const queue = createFairQueue({
  running: 1,
  perTarget: 1,
  waiting: 64,
  retryAfter: 1,
})

/** A null of the thread is kept as well, so that no text exceeds its budget twice. */
interface Kept {
  readonly answer: string | Hunk[] | null
}

/** Answers by digests. */
const kept = new LRUCache<string, Kept, { source: string; job: Job }>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ answer }) => 500 + sizeOf(answer),
  async fetchMethod(_key, _stale, { context: { source, job } }) {
    try {
      return { answer: await queue.run({ source }, () => thread.run(job)) }
    } catch (error) {
      // The address has too much waiting already.
      if (error instanceof Failure) return undefined
      throw error
    }
  },
})

/** Characters of an answer, and 50 for what holds a line. */
function sizeOf(answer: Kept['answer']): number {
  if (answer === null || typeof answer === 'string') return answer?.length ?? 0
  const lines = answer.flatMap(({ lines }) => lines)
  return lines.reduce((sum, line) => sum + line.length + 50, 0)
}

/** Characters of the longest text that is highlighted. */
export const longestHighlighted = 64 * 1024

/** HTML of a file's text with its parts marked; null where it stays plain. `source` is the client's address. */
export async function highlighted(
  source: string,
  file: { readonly path: string; readonly digest: string },
  text: string,
): Promise<string | null> {
  const language = languageOf(file.path)
  if (language === undefined || text.length > longestHighlighted) return null
  const context = { source, job: { language, text } }
  const found = await kept.fetch(`${language} ${file.digest}`, { context })
  return typeof found?.answer === 'string' ? found.answer : null
}

/** A text, and the digest by which it is known. */
export interface KnownText {
  readonly digest: string
  readonly text: string
}

/** What differs between two texts; null where too much does. */
export async function compared(
  source: string,
  before: KnownText,
  after: KnownText,
): Promise<readonly Hunk[] | null> {
  const context = { source, job: { before: before.text, after: after.text } }
  const found = await kept.fetch(`${before.digest} ${after.digest}`, { context })
  return typeof found?.answer === 'object' ? found.answer : null
}
