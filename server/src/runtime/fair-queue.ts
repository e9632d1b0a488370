import { Failure } from '../errors/failure.ts'
import { type Caller, dropIfLeft } from './patience.ts'

/** Whose work it is, and what it is about. */
export interface Claim {
  /** Who is served in turn: a client address, or the account whose app asks. */
  readonly source: string
  /** What the work is about, such as the account that somebody signs in to. */
  readonly target?: string | undefined
  /** Who waits for it; a work whose caller has left when its turn comes is not begun. */
  readonly caller?: Caller | undefined
}

export interface FairQueueLimits {
  /** Works that run at once. */
  readonly running: number
  /** Works of a source, running and waiting. */
  readonly perSource: number
  /** Works about a target, running and waiting. */
  readonly perTarget: number
  /** Works that wait, of all sources. */
  readonly waiting: number
  /** Seconds after which a work that was refused may come again. */
  readonly retryAfter: number
}

export interface FairQueue {
  /** Runs the work when its source's turn comes. Throws 503 for what exceeds a share, or came too late. */
  run<T>(claim: Claim, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (reason: Failure) => void
}

/**
 * Runs works that are dear, a few at once, and takes the sources in turn: whoever has many waiting
 * holds nobody up who has one. Where no more may wait, the source that has the most gives way.
 */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  let running = 0
  let waitingCount = 0
  const held = { source: new Map<string, number>(), target: new Map<string, number>() }
  /** Sources with what waits, the next one's first. */
  const lines = new Map<string, Waiting[]>()

  return {
    async run({ source, target, caller }, work) {
      const isOver =
        (held.source.get(source) ?? 0) >= limits.perSource ||
        (target !== undefined && (held.target.get(target) ?? 0) >= limits.perTarget)
      if (isOver) throw refusal()
      count(held.source, source, 1)
      if (target !== undefined) count(held.target, target, 1)
      try {
        await turnOf(source)
        try {
          dropIfLeft(caller)
          return await work()
        } finally {
          next()
        }
      } finally {
        count(held.source, source, -1)
        if (target !== undefined) count(held.target, target, -1)
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
    let longest: [string, Waiting[]] | undefined
    for (const entry of lines) {
      if (entry[1].length > (longest?.[1].length ?? own + 1)) longest = entry
    }
    const last = longest?.[1].pop()
    if (!last) throw refusal()
    waitingCount--
    last.refuse(refusal())
  }

  function refusal(): Failure {
    return new Failure(503, { retryAfter: limits.retryAfter })
  }
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + by
  if (left === 0) counts.delete(key)
  else counts.set(key, left)
}
