import type { Clock } from '@skillpass/server/runtime/time'

export interface TestClock extends Clock {
  /** Lets time pass, on both clocks. */
  advance(ms: number): void
  /** Sets the wall clock alone, as an operator or NTP would. */
  setWall(time: number): void
}

/** A clock that stands still until a test moves it. Wall-clock time starts at the real one. */
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
