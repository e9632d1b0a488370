import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './errors.ts'

/** How long a database is waited for, ms. Time in which this process itself stands still does not count. */
export interface TimeLimits {
  /** For the answer to one statement. */
  readonly statement: number
  /** For a connection. */
  readonly connection: number
  /** From then on a statement is reason to ask whether the database answers at all. */
  readonly suspicion: number
  /** For the answer to that question. */
  readonly probe: number
  /** Between two such questions while the database is away. */
  readonly pause: number
}

export interface Breaker {
  /** Why the database is away, as long as it is; the same error for everybody. */
  outage(): DatabaseUnavailable | undefined
  /**
   * Waits for what the database does, `ms` at most, and no longer than until an outage begins. What is
   * waited for goes on and must be broken off by the caller. `what` did not come in time, as the error
   * says it.
   */
  wait<T>(act: Promise<T>, what: string, ms: number): Promise<T>
  /** Tells that the database has answered. */
  heard(): void
  /** Asks whether the database answers. Throws what it failed with, or the outage that it is; once closed, that. */
  ask(): Promise<void>
  /** Asks where something was lost; resolves once it is known whether that is an outage. */
  suspect(): Promise<void>
  /** Ends the questions of an outage. */
  close(): void
}

interface BreakerOptions {
  readonly limits: TimeLimits
  /** Asks the database something on a connection of its own, until the signal. */
  probe(signal: AbortSignal): Promise<void>
  /** What is missing where a probe gets no answer, as the error says it. */
  readonly silence: string
  /** Whether a failed probe was answered by a database that serves others. */
  isAnswer(error: unknown): boolean
  /** Everything under way is given up: its connections are of no use any more. */
  onOutage(failure: DatabaseUnavailable): void
  onEnd(): void
}

/** How often what is waited for is looked at, ms. */
const tickMs = 100

interface Waiting {
  /** What did not come in time, for the error. */
  readonly what: string
  readonly ms: number
  ticks: number
  readonly most: number
  readonly suspicion: number
  give(error: Error): void
}

/**
 * Tells a database that is silent from one that is slow. A statement that takes long proves nothing: it
 * may wait for a lock. Only when the database then leaves a question on a connection of its own without
 * an answer, and nobody else has heard of it meanwhile, it is away: all that waits fails at once, and so
 * does what comes, until one of the questions that go on in the background is answered.
 */
export function createBreaker(options: BreakerOptions): Breaker {
  const { limits, probe, silence, isAnswer, onOutage, onEnd } = options
  const waiting = new Set<Waiting>()
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let outage: DatabaseUnavailable | undefined
  let asking: Promise<void> | undefined
  let lastHeard = Number.NEGATIVE_INFINITY

  /**
   * Counts turns of this process's own event loop instead of reading a clock: one that stood still has
   * its answers waiting, and they come before its next tick.
   */
  function tick(): void {
    let isSlow = false
    for (const one of [...waiting]) {
      one.ticks++
      if (one.ticks >= one.most) {
        one.give(new DatabaseUnavailable(`${one.what} within ${one.ms} ms`))
      } else isSlow ||= one.ticks >= one.suspicion
    }
    if (isSlow && performance.now() - lastHeard > limits.suspicion) void suspect()
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function limit<T>(act: Promise<T>, what: string, ms: number, suspicion: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const one: Waiting = {
        what,
        ms,
        ticks: 0,
        most: Math.ceil(ms / tickMs) + 1,
        suspicion: Math.ceil(suspicion / tickMs),
        give(error) {
          waiting.delete(one)
          reject(error)
        },
      }
      waiting.add(one)
      timer ??= setInterval(tick, tickMs).unref()
      act.then((value) => {
        waiting.delete(one)
        resolve(value)
      }, one.give)
    })
  }

  function heard(): void {
    lastHeard = performance.now()
  }

  /** One question at a time, whoever wants to know. */
  function ask(): Promise<void> {
    asking ??= question().finally(() => {
      asking = undefined
    })
    return asking
  }

  async function question(): Promise<void> {
    const signal = new AbortController()
    try {
      await limit(probe(signal.signal), silence, limits.probe, Number.POSITIVE_INFINITY)
      heard()
    } finally {
      signal.abort()
    }
  }

  async function suspect(): Promise<void> {
    if (outage || closing.signal.aborted) return
    const start = performance.now()
    try {
      await ask()
    } catch (error) {
      if (isAnswer(error) || lastHeard >= start || outage || closing.signal.aborted) return
      begin(error)
    }
  }

  function begin(error: unknown): void {
    outage = outageOf(error)
    onOutage(outage)
    for (const one of [...waiting]) one.give(outage)
    void untilBack()
  }

  async function untilBack(): Promise<void> {
    while (outage) {
      try {
        await pause(limits.pause, undefined, { signal: closing.signal, ref: false })
      } catch {
        return
      }
      await ask().then(end, () => {})
    }
  }

  function end(): void {
    outage = undefined
    onEnd()
  }

  return {
    outage: () => outage,
    wait: (act, what, ms) => limit(act, what, ms, limits.suspicion),
    heard,
    ask: async () => {
      if (outage) throw outage
      if (closing.signal.aborted) throw new DatabaseUnavailable('The database is closed.')
      await ask()
    },
    suspect,
    close: () => closing.abort(),
  }
}

function outageOf(error: unknown): DatabaseUnavailable {
  const failure =
    error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(String(error), error)
  failure.isOutage = true
  return failure
}
