import type { Clock } from '../../runtime/time.ts'

/** A clock that runs in real time, stands still or jumps. Times are ms since 1970. */
export interface SetClock extends Clock {
  set(time: number): void
  freeze(): void
  run(): void
  isFrozen(): boolean
}

export function createSetClock(start: number): SetClock {
  let [time, since]: [number, number | undefined] = [start, performance.now()]
  const now = () => Math.floor(since === undefined ? time : time + performance.now() - since)
  const set = (to: number, isFrozen = since === undefined) => {
    ;[time, since] = [to, isFrozen ? undefined : performance.now()]
  }
  return {
    now,
    // Intervals follow jumps too, so that limits and expiries do.
    monotonic: now,
    set: (to) => set(to),
    freeze: () => set(now(), true),
    run: () => set(now(), false),
    isFrozen: () => since === undefined,
  }
}
