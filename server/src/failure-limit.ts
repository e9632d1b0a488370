import type { RateLimiter } from './http/rate-limiter.ts'

/** A limit of failed attempts: so many in any `window` (ms) of what `key` names. */
export interface FailureLimit {
  readonly key: string
  readonly limit: number
  readonly window: number
}

/**
 * Seconds until one more attempt is taken; 0 where it is taken now. Asked before the attempt is
 * looked at: who guesses on learns nothing, not even from the right guess.
 */
export async function secondsToWait(
  limiter: RateLimiter,
  limits: readonly FailureLimit[],
): Promise<number> {
  let wait = 0
  for (const { key, limit, window } of limits) {
    const { allowed, resetMs } = await limiter.look(key, limit, window)
    if (!allowed) wait = Math.max(wait, 1, Math.ceil(resetMs / 1000))
  }
  return wait
}

/** Counts an attempt that has failed. */
export async function countFailure(
  limiter: RateLimiter,
  limits: readonly FailureLimit[],
): Promise<void> {
  for (const { key, limit, window } of limits) await limiter.take(key, limit, window)
}
