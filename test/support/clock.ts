import type { Clock } from '@skillpass/server/testing'

export interface TestClock extends Clock {
  /** Advances the wall clock and the monotonic clock. */
  advance(ms: number): void
  /** Changes only the wall clock, as an operator or NTP would. */
  setWall(time: number): void
}

/**
 * Creates a clock that moves only when a test moves it. Its wall-clock time starts at the real
 * time.
 */
export function createTestClock(): TestClock {
  let wall = Date.now()
  let monotonic = 1_000_000
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance(ms) {
      wall += ms
      monotonic += ms
    },
    setWall(time) {
      wall = time
    },
  }
}
