import { Failure } from '../errors/failure.ts'
import { count } from './count.ts'

/** Works of one source that are never refused for the number of others. */
const alwaysServed = 8

/** Whose work it is, and what it is about. */
export interface Claim {
  /** Who is served in turn: a client address, or the account whose app asks. */
  readonly source: string
  /** What the work is about, such as the account that somebody signs in to. */
  readonly target?: string | undefined
  /** A work whose signal has aborted when its turn comes is not begun. */
  readonly signal?: AbortSignal | undefined
}

export interface FairQueueLimits {
  /** Works that run at once. */
  readonly running: number
  /** Works of a source about one target, running and waiting. */
  readonly perTarget: number
  /** Works that wait, of all sources; those of sources with few come on top. */
  readonly waiting: number
  /** Seconds after which a work that was refused may come again. */
  readonly retryAfter: number
}

export interface FairQueue {
  /** Runs the work when its source's turn comes. Throws 503 for what exceeds a share, and the reason of an aborted signal. */
  run<T>(claim: Claim, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (reason: Failure) => void
}

/**
 * Runs works that are dear, a few at once, and takes the sources in turn: whoever has many waiting
 * holds nobody up who has one. Where no more may wait, the source that has the most gives way; one with few never does.
 */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  let running = 0
  let waitingCount = 0
  /** Works by source and target. */
  const held = new Map<string, number>()
  /** Sources with what waits, the next one's first. */
  const lines = new Map<string, Waiting[]>()

  return {
    async run({ source, target, signal }, work) {
      const key = JSON.stringify([source, target])
      if (target !== undefined && (held.get(key) ?? 0) >= limits.perTarget) throw refusal()
      count(held, key, 1)
      try {
        await turnOf(source)
        try {
          signal?.throwIfAborted()
          return await work()
        } finally {
          next()
        }
      } finally {
        count(held, key, -1)
      }
    },
  }

  function turnOf(source: string): Promise<void> | void {
    if (running < limits.running) {
      running++
      return
    }
    const line = lines.get(source) ?? []
    if (waitingCount >= limits.waiting) giveWay(line.length)
    return new Promise((start, refuse) => {
      if (line.push({ start, refuse }) === 1) lines.set(source, line)
      waitingCount++
    })
  }

  /** Hands the turn on as it is, so that nobody takes it in between. */
  function next(): void {
    const first = lines.entries().next()
    if (first.done) {
      running--
      return
    }
    const [source, line] = first.value
    lines.delete(source)
    const waiting = line.shift()
    if (line.length > 0) lines.set(source, line)
    waitingCount--
    waiting?.start()
  }

  /** Refuses the last of the longest line, or throws where none is longer than the newcomer's. */
  function giveWay(own: number): void {
    let longest: Waiting[] | undefined
    for (const line of lines.values()) {
      if (line.length > (longest?.length ?? Math.max(own + 1, alwaysServed))) longest = line
    }
    const last = longest?.pop()
    if (!last && own < alwaysServed) return
    if (!last) throw refusal()
    waitingCount--
    last.refuse(refusal())
  }

  function refusal(): Failure {
    return new Failure(503, { retryAfter: limits.retryAfter, neverBegan: true })
  }
}
