import { LRUCache } from 'lru-cache'
import type { Clock } from '../runtime/time.ts'

/** The answer of a limiter to one request. Times are milliseconds from now. */
export interface LimitDecision {
  readonly allowed: boolean
  /** Requests left in the window. */
  readonly remaining: number
  /** Until one more request fits than now. */
  readonly resetMs: number
}

/** A limit: so many in any `window` (ms) of what `key` names. */
export interface WindowLimit {
  readonly key: string
  readonly limit: number
  readonly window: number
}

/** Counts requests in a sliding window: never more than `limit` in any `window`. */
export interface RateLimiter {
  /**
   * The verdict on each limit. If it `counts`, the request is counted once under every limit, or under
   * none where one of them refuses.
   */
  ask(limits: readonly WindowLimit[], counts: boolean): Promise<LimitDecision[]>
  close(): Promise<void>
}

/** Subjects of one class remembered at once; beyond that the longest idle one is forgotten. */
const maxSubjects = 100_000

/**
 * A limiter in this process's memory. It keeps the times of the requests let through, on the
 * monotonic clock: a wall clock that is set back would lock clients out.
 */
export function createMemoryLimiter(clock: Clock): RateLimiter {
  // Apart, so that who fills one class makes no other forget: a key's class stands before its colon.
  const classes = new Map<string, LRUCache<string, number[]>>()

  function subjectsOf(key: string): LRUCache<string, number[]> {
    const name = key.slice(0, key.indexOf(':'))
    const known = classes.get(name)
    if (known) return known
    const made = new LRUCache<string, number[]>({ max: maxSubjects })
    classes.set(name, made)
    return made
  }

  /** The times of a subject that still count. */
  function recent(key: string, windowMs: number): number[] {
    const times = subjectsOf(key).get(key)
    if (!times) return []
    const start = clock.monotonic() - windowMs
    let expired = 0
    while (expired < times.length && (times[expired] as number) <= start) expired++
    if (expired > 0) times.splice(0, expired)
    return times
  }

  // Nothing is awaited in between, so that all see the same counts.
  const ask: RateLimiter['ask'] = async (limits, counts) => {
    const now = clock.monotonic()
    const asked = limits.map(({ key, limit, window }) => {
      const times = recent(key, window)
      return { key, limit, window, times, allowed: times.length < limit }
    })
    if (counts && asked.every(({ allowed }) => allowed)) {
      for (const { key, times } of asked) {
        if (times.push(now) === 1) subjectsOf(key).set(key, times)
      }
    }
    return asked.map(({ limit, window, times, allowed }) => ({
      allowed,
      remaining: limit - times.length,
      resetMs: (times[0] ?? now) + window - now,
    }))
  }

  return {
    ask,
    async close() {
      classes.clear()
    },
  }
}

/** The verdict on a single limit. */
export async function askOne(
  limiter: RateLimiter,
  limit: WindowLimit,
  counts = true,
): Promise<LimitDecision> {
  const [verdict] = await limiter.ask([limit], counts)
  if (!verdict) throw new Error('A limit was asked for, and no verdict came.')
  return verdict
}

/**
 * Seconds until one more attempt is taken under limits of failures; 0 where this one is. One that is
 * known to have failed is counted. The limiter is asked once, so that of any number of attempts at the
 * same moment only the first are answered; who is refused learns nothing, not even from the right guess.
 */
export async function secondsToWait(
  limiter: RateLimiter,
  limits: readonly WindowLimit[],
  { hasFailed = false } = {},
): Promise<number> {
  const waits = (await limiter.ask(limits, hasFailed)).map(({ allowed, resetMs }) =>
    allowed ? 0 : Math.max(1, Math.ceil(resetMs / 1000)),
  )
  return Math.max(0, ...waits)
}
