import { LRUCache } from 'lru-cache'
import type { Clock } from '../context.ts'

/** The answer of a limiter to one request. Times are milliseconds from now. */
export interface Verdict {
  readonly allowed: boolean
  /** Requests left in the window. */
  readonly remaining: number
  /** Until one more request fits than now. */
  readonly resetMs: number
}

/** Counts requests in a sliding window: never more than `limit` in any `windowMs`. */
export interface RateLimiter {
  take(key: string, limit: number, windowMs: number): Promise<Verdict>
  /** What `take` would say, without counting: for limits of failures alone. */
  look(key: string, limit: number, windowMs: number): Promise<Verdict>
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

  function verdict(times: readonly number[], allowed: boolean, limit: number, windowMs: number) {
    const now = clock.monotonic()
    return { allowed, remaining: limit - times.length, resetMs: (times[0] ?? now) + windowMs - now }
  }

  return {
    async take(key, limit, windowMs) {
      const times = recent(key, windowMs)
      const allowed = times.length < limit
      if (allowed && times.push(clock.monotonic()) === 1) subjectsOf(key).set(key, times)
      return verdict(times, allowed, limit, windowMs)
    },
    async look(key, limit, windowMs) {
      const times = recent(key, windowMs)
      return verdict(times, times.length < limit, limit, windowMs)
    },
    async close() {
      classes.clear()
    },
  }
}
