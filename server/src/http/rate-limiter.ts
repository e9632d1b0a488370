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
  close(): Promise<void>
}

/** Subjects remembered at once; beyond that the longest idle one is forgotten. */
const maxSubjects = 100_000

/**
 * A limiter in this process's memory. It keeps the times of the requests let through, on the
 * monotonic clock: a wall clock that is set back would lock clients out.
 */
export function createMemoryLimiter(clock: Clock): RateLimiter {
  const subjects = new LRUCache<string, number[]>({ max: maxSubjects })
  return {
    async take(key, limit, windowMs) {
      const now = clock.monotonic()
      let times = subjects.get(key)
      if (!times) {
        times = []
        subjects.set(key, times)
      }
      let expired = 0
      while (expired < times.length && (times[expired] as number) <= now - windowMs) expired++
      if (expired > 0) times.splice(0, expired)
      const allowed = times.length < limit
      if (allowed) times.push(now)
      const oldest = times[0] ?? now
      return { allowed, remaining: limit - times.length, resetMs: oldest + windowMs - now }
    },
    async close() {
      subjects.clear()
    },
  }
}
