import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../runtime/start-thread.ts'
import { lintSkill } from '../lint/index.ts'
import type { LintSkill, LintWarning } from '../lint/types.ts'

/** Lints skills without files in other threads, while this one reads and writes. */
export interface LintThreads {
  /** What is found in a skill; undefined while the caller itself is to lint. */
  lint(skill: LintSkill): Promise<LintWarning[]> | undefined
  close(): Promise<void>
}

/** Skills that the caller lints before threads start, which takes as long as fifty of them. */
const BEFORE_THREADS = 200

/** A thread, and the skills that it lints in the order in which they were sent. */
interface LintThread {
  readonly worker: Worker
  readonly waiting: Waiting[]
}

interface Waiting {
  readonly skill: LintSkill
  take(found: LintWarning[]): void
  fail(error: unknown): void
}

/** A thread for each core. What is left of a thread that fails is linted here. */
export function createLintThreads(most = availableParallelism()): LintThreads {
  const threads: LintThread[] = []
  let linted = 0
  let mayStart = most > 1
  return { lint, close }

  function lint(skill: LintSkill): Promise<LintWarning[]> | undefined {
    const thread = linted++ >= BEFORE_THREADS ? leastBusy() : undefined
    if (!thread) return undefined
    return new Promise((take, fail) => {
      thread.waiting.push({ skill, take, fail })
      thread.worker.postMessage(skill)
    })
  }

  function leastBusy(): LintThread | undefined {
    if (mayStart && threads.length === 0) {
      for (let i = 0; i < most; i++) threads.push(start())
    }
    const [first, ...others] = threads
    return others.reduce(
      (least, other) => (least && least.waiting.length <= other.waiting.length ? least : other),
      first,
    )
  }

  function start(): LintThread {
    const thread = {
      worker: startThread('./lint-worker', import.meta.url),
      waiting: [] as Waiting[],
    }
    thread.worker.on('message', (found: LintWarning[]) => thread.waiting.shift()?.take(found))
    // An error is followed by the end of the thread.
    thread.worker.on('error', () => {})
    thread.worker.on('exit', () => {
      mayStart = false
      threads.splice(threads.indexOf(thread), 1)
      for (const { skill, take, fail } of thread.waiting.splice(0)) {
        try {
          take(lintSkill(skill))
        } catch (error) {
          fail(error)
        }
      }
    })
    return thread
  }

  async function close(): Promise<void> {
    mayStart = false
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
}
