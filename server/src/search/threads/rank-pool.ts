import { availableParallelism } from 'node:os'
import { startThread } from '../../runtime/start-thread.ts'
import type { Query } from '../query/parse.ts'
import type { ResolveOptions } from '../query/rank.ts'
import type { ReplicaUpdate } from './index-replica.ts'
import { writeTask } from './rank-messages.ts'

/** Threads that rank tasks while this one does other things; they start when that is worth it. */
export interface RankPool {
  /** Whether there are any. */
  readonly areThere: boolean
  /**
   * Who is to rank a task next: the thread to ask, or this one where none has room in time. Throws the
   * reason of a signal that has aborted before its turn.
   */
  next(signal?: AbortSignal): Promise<RankThread | undefined>
  /**
   * Must be called with the ms that this thread has ranked a task: after few, and without other threads, the
   * next waiting follows at once; after many in a second, another thread starts.
   */
  spent(ms: number): void
  /** Must be called before the documents change. */
  forget(): void
  close(): Promise<void>
}

export interface RankThread {
  /**
   * What `readRanked` reads, of the documents as they are now; nothing where the thread has ended. To be
   * called once, right after `next`.
   */
  rank(query: Query, options: ResolveOptions): Promise<Float64Array | undefined>
}

/** The message of a thread that has started. */
export const READY = 'ready'

/** More threads than these do not help: the one that answers has no more tasks for them. */
const MOST_THREADS = 8

/** Tasks that a thread has in hand at most, so that it never waits for this one. */
const IN_HAND = 4

/** A thread without tasks ends after this time, since its replica holds on to memory. */
const IDLE_MS = 60_000

/** While this thread ranks alone, it takes one task after the other for so much of a turn. */
const SHARE_MS = 3

/** A thread starts once this one has ranked so much of a second. */
const BUSY_MS = 100
const SECOND_MS = 1000

/** A task that nobody ranks yet. */
interface WaitingTask {
  readonly signal: AbortSignal | undefined
  begin(thread?: RankThread): void
  drop(reason: Error): void
}

export function createRankPool(
  createSender: () => () => ReplicaUpdate,
  onFailure: (error: unknown) => void,
  most = Math.min(MOST_THREADS, availableParallelism() - 1),
): RankPool {
  let threads: ReturnType<typeof start>[] = []
  /** No more are started after one has failed. */
  let mayStart = true
  let second = 0
  let spentMs = 0
  /** Tasks that nobody ranks yet. */
  const queue: WaitingTask[] = []
  let willTake = false
  /** What this thread has ranked since it last took a first task. */
  let turnMs = 0
  return {
    get areThere() {
      return areThere()
    },
    next,
    spent,
    forget,
    close,
  }

  function areThere(): boolean {
    return threads.some(({ isReady }) => isReady)
  }

  function next(signal?: AbortSignal): Promise<RankThread | undefined> {
    return new Promise((begin, drop) => {
      queue.push({ signal, begin, drop })
      handOut()
      takeSoon()
    })
  }

  /** The first task that somebody still waits for; those before it are dropped. */
  function takeTask(): WaitingTask | undefined {
    let task = queue.shift()
    while (task?.signal?.aborted) {
      task.drop(task.signal.reason)
      task = queue.shift()
    }
    return task
  }

  function takeSoon(): void {
    if (queue.length === 0 || willTake) return
    willTake = true
    setImmediate(takeOne)
  }

  /** This thread ranks a task itself, and then sees to all that came meanwhile. */
  function takeOne(): void {
    willTake = false
    turnMs = 0
    handOut()
    takeTask()?.begin()
    takeSoon()
  }

  function handOut(): void {
    while (queue.length > 0) {
      const [least] = threads
        .filter(({ isReady, inHand }) => isReady && inHand < IN_HAND)
        .sort((a, b) => a.inHand - b.inHand)
      if (!least) return
      const task = takeTask()
      if (!task) return
      least.inHand++
      task.begin(least)
    }
  }

  function spent(ms: number): void {
    turnMs += ms
    // other threads would wait for their next tasks meanwhile
    if (turnMs < SHARE_MS && !areThere()) takeTask()?.begin()
    if (!mayStart || threads.length >= most) return
    const now = performance.now()
    if (now - second > SECOND_MS) {
      second = now
      spentMs = 0
    }
    spentMs += ms
    if (spentMs < BUSY_MS) return
    spentMs = 0
    threads.push(start())
  }

  function start() {
    const worker = startThread('./rank-worker', import.meta.url)
    const nextUpdate = createSender()
    /** Who waits for rankings, in the order in which they come. */
    const waiting: ((row?: Float64Array) => void)[] = []
    const thread = { rank, end, inHand: 0, isReady: false, isCurrent: false }
    let isEnding = false
    worker.unref()
    const idle = setTimeout(end, IDLE_MS).unref()
    worker.on('message', (row: Float64Array | typeof READY) => {
      if (row === READY) thread.isReady = true
      else settle(row)
      handOut()
    })
    worker.on('error', (error) => {
      mayStart = false
      onFailure(error)
    })
    worker.on('exit', () => {
      leave()
      while (waiting.length > 0) settle(undefined)
    })
    return thread

    function settle(row: Float64Array | undefined): void {
      thread.inHand--
      waiting.shift()?.(row)
      // a thread that is being ended has to be waited for
      if (waiting.length === 0 && !isEnding) worker.unref()
    }

    function leave(): void {
      threads = threads.filter((each) => each !== thread)
      clearTimeout(idle)
    }

    function end(): Promise<number> {
      leave()
      isEnding = true
      return worker.terminate()
    }

    function rank(query: Query, options: ResolveOptions): Promise<Float64Array | undefined> {
      if (!thread.isCurrent) worker.postMessage(nextUpdate())
      thread.isCurrent = true
      worker.postMessage(writeTask(query, options))
      // it keeps the process alive only while it works
      if (waiting.length === 0) worker.ref()
      idle.refresh()
      return new Promise((resolve) => waiting.push(resolve))
    }
  }

  function forget(): void {
    for (const thread of threads) thread.isCurrent = false
  }

  async function close(): Promise<void> {
    mayStart = false
    await Promise.all(threads.map(({ end }) => end()))
  }
}
