import { LRUCache } from 'lru-cache'
import type { Clock } from '../time.ts'

interface LimitDecision {
  readonly allowed: boolean
  readonly remaining: number
  /** Milliseconds until `remaining` grows by one. */
  readonly resetMs: number
}

/** At most `limit` requests per `window` (ms) for the subject `key`, such as `read:192.0.2.1`. */
export interface WindowLimit {
  readonly key: string
  readonly limit: number
  readonly window: number
}

/** Counts requests in sliding windows. */
export interface RateLimiter {
  /**
   * Returns the decision under each limit. With `counts`, counts the request under every limit, or
   * under none if any of them refuses it.
   */
  check(limits: readonly WindowLimit[], counts: boolean): Promise<LimitDecision[]>
  /** Removes the last counted request of a subject. */
  uncount(key: string): Promise<void>
  close(): Promise<void>
}

/** Maximum subjects per class; the least recently used one is evicted. */
const maxSubjects = 100_000

/**
 * Creates a limiter in the memory of this process. It stores the times of the allowed requests on
 * the monotonic clock, because a wall clock that is set back would lock clients out.
 */
export function createMemoryLimiter(clock: Clock): RateLimiter {
  // One cache per class, the part of a key before its colon, so that a full class evicts nothing of
  // another.
  const classes = new Map<string, LRUCache<string, number[]>>()

  function subjectsOf(key: string): LRUCache<string, number[]> {
    const name = key.slice(0, key.indexOf(':'))
    const subjects = classes.get(name) ?? new LRUCache<string, number[]>({ max: maxSubjects })
    classes.set(name, subjects)
    return subjects
  }

  /** Returns the request times of a subject within the window. */
  function recent(key: string, windowMs: number): number[] {
    const times = subjectsOf(key).get(key)
    if (!times) return []
    const start = clock.monotonic() - windowMs
    let expired = 0
    while (expired < times.length && (times[expired] as number) <= start) expired++
    if (expired > 0) times.splice(0, expired)
    return times
  }

  // Must not await, so that concurrent requests see consistent counts.
  const check: RateLimiter['check'] = async (limits, counts) => {
    const now = clock.monotonic()
    const checked = limits.map(({ key, limit, window }) => {
      const times = recent(key, window)
      return { key, limit, window, times, allowed: times.length < limit }
    })
    if (counts && checked.every(({ allowed }) => allowed)) {
      for (const { key, times } of checked) {
        if (times.push(now) === 1) subjectsOf(key).set(key, times)
      }
    }
    return checked.map(({ limit, window, times, allowed }) => ({
      allowed,
      remaining: limit - times.length,
      resetMs: (times[0] ?? now) + window - now,
    }))
  }

  return {
    check,
    uncount: async (key) => void subjectsOf(key).get(key)?.pop(),
    close: async () => {},
  }
}

/** Returns the decision under a single limit. */
export async function checkLimit(limiter: RateLimiter, limit: WindowLimit, counts = true) {
  const [decision] = await limiter.check([limit], counts)
  if (!decision) throw new Error('The rate limiter returned no decision.')
  return decision
}

/**
 * Returns the seconds until another attempt is allowed under limits on failures, or 0 if this one
 * is. With `hasFailed`, counts a failed attempt. Calls the limiter once, so that simultaneous
 * guesses cannot exceed the limits. Refuse even a correct guess if the result is not 0.
 */
export async function secondsToWait(
  limiter: RateLimiter,
  limits: readonly WindowLimit[],
  { hasFailed = false } = {},
): Promise<number> {
  const waits = (await limiter.check(limits, hasFailed)).map(({ allowed, resetMs }) =>
    allowed ? 0 : Math.max(1, Math.ceil(resetMs / 1000)),
  )
  return Math.max(0, ...waits)
}
