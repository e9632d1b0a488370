import { randomBytes, randomUUID } from 'node:crypto'

/** Time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Milliseconds that only ever grow, whatever is done to the wall clock. */
  monotonic(): number
}

/**
 * Wall-clock time that does not follow the clock when it is set back: what was issued before still
 * expires when it should. It does follow a jump ahead, as after sleep, and one that is taken back.
 */
export function createSteadyNow(clock: Clock): () => number {
  const wall = clock.now()
  const start = clock.monotonic()
  return () => Math.max(clock.now(), Math.floor(wall + clock.monotonic() - start))
}

/** Randomness fit for secrets. */
export interface Random {
  bytes(length: number): Uint8Array
  uuid(): string
}

export const systemClock: Clock = { now: Date.now, monotonic: () => performance.now() }

export const systemRandom: Random = { bytes: randomBytes, uuid: randomUUID }

/** A time in ISO 8601, UTC, with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The UTC day of a time, `YYYY-MM-DD`. */
export const utcDay = (ms: number): string => isoTime(ms).slice(0, 10)
