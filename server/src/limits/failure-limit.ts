import type { LimitDecision, RateLimiter, WindowLimit } from './rate-limiter.ts'

/** Seconds until one more attempt is taken; 0 where it is taken now. */
export async function secondsToWait(
  limiter: RateLimiter,
  limits: readonly WindowLimit[],
): Promise<number> {
  return waitOf(await limiter.lookAll(limits))
}

/**
 * Counts an attempt that has failed, under all limits or, where one of them refuses, under none. Gives
 * the seconds until one more is taken; 0 where this one was.
 */
export async function countFailure(
  limiter: RateLimiter,
  limits: readonly WindowLimit[],
): Promise<number> {
  return waitOf(await limiter.takeAll(limits))
}

/**
 * Whether an attempt is taken, of which it is known by now whether it was right: the seconds to wait
 * where it is not, 0 where it is. The limiter is asked once, so that of any number of attempts at the
 * same moment only the first are answered; who is refused learns nothing, not even from the right guess.
 */
export const settleAttempt = (
  limiter: RateLimiter,
  limits: readonly WindowLimit[],
  isRight: boolean,
): Promise<number> => (isRight ? secondsToWait(limiter, limits) : countFailure(limiter, limits))

function waitOf(verdicts: readonly LimitDecision[]): number {
  const waits = verdicts.map(({ allowed, resetMs }) =>
    allowed ? 0 : Math.max(1, Math.ceil(resetMs / 1000)),
  )
  return Math.max(0, ...waits)
}
