/** Tells how long requests have waited for the event loop. */
export interface TurnClock {
  /** Number of the turn in which the last request was read. */
  readonly turn: number
  /** To be called as a request is read; gives how long it has waited, ms, as far as that can be told. */
  read(): number
}

/**
 * Measures turns of the event loop while requests come. What is read in a turn had come before it began,
 * so each request has waited since then; where the turn before has left no pause, half of that as well.
 */
export function createTurnClock(): TurnClock {
  let isOpen = false
  let [turn, begun, ended, before] = [0, 0, 0, 0]
  return {
    get turn() {
      return turn
    },
    read() {
      const now = performance.now()
      if (isOpen) return now - begun + before
      isOpen = true
      turn++
      before = now - ended < 1 ? (ended - begun) / 2 : 0
      begun = now
      setImmediate(end)
      return before
    },
  }

  function end(): void {
    isOpen = false
    ended = performance.now()
  }
}
