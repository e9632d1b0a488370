/** A day in milliseconds. */
export const dayLength = 86_400_000

/** A clock that tests can set. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Milliseconds that never decrease, even if the wall clock is changed. */
  monotonic(): number
}

/**
 * Creates a wall clock that ignores backward changes, so that tokens still expire on time. It
 * follows forward jumps, such as after sleep, and the correction of such a jump.
 */
export function createSteadyNow(clock: Clock): () => number {
  const wall = clock.now()
  const start = clock.monotonic()
  return () => Math.max(clock.now(), Math.floor(wall + clock.monotonic() - start))
}

export const systemClock: Clock = { now: Date.now, monotonic: () => performance.now() }

/** Formats a time in ISO 8601, UTC, with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** Returns the UTC date of a time, `YYYY-MM-DD`. */
export const utcDay = (ms: number): string => isoTime(ms).slice(0, 10)
