import type { Context } from '../../context/context.ts'

/** Keeps from asking a service that fails, longer and longer. */
export interface Circuit {
  /** Whether to ask now. After a pause it lets one try through, and the others when that succeeds. */
  mayTry(): boolean
  succeeded(): void
  /** Gives whether a pause began where there was none. */
  failed(): boolean
}

interface CircuitOptions {
  /** Failures in a row before the first pause. */
  readonly tolerated: number
  /** The first pause, and the longest that doubling makes of it, ms; each varies by a quarter. */
  readonly first: number
  readonly longest: number
}

/** A circuit that is closed: everything may be tried. */
export function createCircuit(
  { clock, random }: Pick<Context, 'clock' | 'random'>,
  { tolerated, first, longest }: CircuitOptions,
): Circuit {
  let failures = 0
  let pause = 0
  let until = Number.NEGATIVE_INFINITY
  const lengthen = () => {
    pause = pause === 0 ? first : Math.min(longest, pause * 2)
    // Nodes that saw the service fail together do not come back together.
    const [byte = 0] = random.bytes(1)
    until = clock.monotonic() + pause * (0.75 + byte / 510)
  }
  return {
    mayTry() {
      if (clock.monotonic() < until) return false
      if (failures >= tolerated) lengthen()
      return true
    },
    succeeded() {
      failures = 0
      pause = 0
      until = Number.NEGATIVE_INFINITY
    },
    failed() {
      // What began before the pause tells nothing new.
      if (clock.monotonic() < until) return false
      failures++
      if (failures < tolerated) return false
      const begins = pause === 0
      lengthen()
      return begins
    },
  }
}
