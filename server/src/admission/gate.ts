/** The wait of a class, ms. */
export interface Patience {
  /** Mean wait above which requests begin to be refused: classes with the least give way first. */
  readonly target: number
  /** What has waited for so long is not begun any more. */
  readonly longest: number
}

/** What lets requests of a class in, and what it has seen of them. */
export interface Gate {
  readonly inFlight: number
  /** Chance from 0 to 1 that a request is refused. */
  readonly probability: number
  /** Mean wait in the last sample, ms. */
  readonly wait: number
  /** Whether one more may come in. */
  admits(): boolean
  /** Counts a request among those in flight. */
  enter(): void
  /** Notes how long a request waited, for the event loop and in queues, until its work was begun, ms. */
  waited(ms: number): void
  /** Counts a request out, which was answered or dropped. */
  leave(isAnswered: boolean): void
  /** Draws the consequences of `seconds` of notes; `isBusy` says that the event loop had no time to spare. */
  sample(isBusy: boolean, seconds: number): void
}

/** Requests in flight: as many as are answered in so many seconds, and always so many, which a burst may be. */
const bounds = { seconds: 0.25, least: 128 }

/** Share of a sample in the measured rate of answers: it follows within half a second. */
const freshness = 0.2

/** So few at a time are never refused: nobody waits long behind them. */
const few = 8

/** What the chance grows by where the wait is at the target, the most times of it, and the most chance. */
const increase = { step: 0.05, times: 4, most: 0.98 }

/** What is left of the chance after a sample below the target: without, and with time to spare. */
const decrease = { busy: 0.92, idle: 0.5 }

/**
 * The chance of refusal follows the wait, by additive increase and multiplicative decrease: an on/off
 * threshold would swing between too many and too few. The bound, by Little's law, is for what comes
 * before the chance has followed, and for waits that no queue of ours sees, such as those within the database.
 */
export function createGate({ target }: Patience, random: () => number): Gate {
  const waits = createMean()
  let [inFlight, probability, wait] = [0, 0, 0]
  let [answered, rate] = [0, 0]

  return {
    get inFlight() {
      return inFlight
    },
    get probability() {
      return probability
    },
    get wait() {
      return wait
    },
    admits() {
      if (inFlight < few) return true
      if (inFlight >= Math.max(bounds.least, rate * bounds.seconds)) return false
      return probability === 0 || random() >= probability
    },
    enter() {
      inFlight++
    },
    waited: waits.add,
    leave(isAnswered) {
      inFlight--
      if (isAnswered) answered++
    },
    sample(isBusy, seconds) {
      const before = wait
      wait = waits.take()
      if (wait > target) follow(before)
      else probability *= isBusy ? decrease.busy : decrease.idle
      if (probability < 0.005) probability = 0
      rate += freshness * (answered / seconds - rate)
      answered = 0
    },
  }

  function follow(before: number): void {
    // While what has gathered is worked off, further refusals would come too late and be too many.
    if (wait < 0.9 * before) return
    const step = increase.step * Math.min(increase.times, wait / target)
    probability = Math.min(increase.most, probability + step)
  }
}

/** The mean of what was added since it was last taken; 0 of nothing. */
function createMean() {
  let [sum, count] = [0, 0]
  return {
    add(value: number): void {
      sum += value
      count++
    },
    take(): number {
      const mean = count === 0 ? 0 : sum / count
      ;[sum, count] = [0, 0]
      return mean
    },
  }
}
