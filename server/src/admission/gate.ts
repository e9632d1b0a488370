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
  readonly bound: number
  /** Chance from 0 to 1 that a request is refused. */
  readonly probability: number
  /** Mean wait in the last sample, ms. */
  readonly wait: number
  /** Whether one more may come in that is read in this turn of the event loop. */
  admits(turn: number): boolean
  /** Notes how long a request waited for the event loop, ms; it was let in. */
  read(ms: number): void
  /** Counts a request among those in flight; it has come whole. */
  enter(): void
  /** Notes how long a request had waited when a queue began its work, ms. */
  begin(ms: number): void
  /** Counts a request as answered, after so many ms. */
  leave(ms: number): void
  /** Draws the consequences of what was noted; `isBusy` says that the event loop had no time to spare. */
  sample(isBusy: boolean): void
}

/** Requests in flight: as many as a class begins with, at least and at most. */
const bounds = { first: 256, least: 16, most: 2048 }

/** So few at a time are never refused: nobody waits long behind them. */
const few = 8

/** What the chance grows by where the wait is at the target, the most times of it, and the most chance. */
const increase = { step: 0.05, times: 4, most: 0.98 }

/** What is left of the chance after a sample below the target: without, and with time to spare. */
const decrease = { busy: 0.92, idle: 0.5 }

/** Mean time to an answer at which as many as are in flight are too many, and enough to take more, ms. */
const answerTime = { most: 350, good: 150 }

/**
 * The chance of refusal follows the wait, by additive increase and multiplicative decrease: an on/off
 * threshold would swing between too many and too few. The bound is for what comes before the chance has
 * followed, and for waits that no queue of ours sees, such as those within the database.
 */
export function createGate({ target }: Patience, random: () => number): Gate {
  const reads = createMean()
  const begins = createMean()
  const answers = createMean()
  let [inFlight, bound, probability, wait] = [0, bounds.first, 0, 0]
  let [turn, inTurn] = [0, 0]
  let isFull = false

  return {
    get inFlight() {
      return inFlight
    },
    get bound() {
      return bound
    },
    get probability() {
      return probability
    },
    get wait() {
      return wait
    },
    admits(now) {
      if (now !== turn) [turn, inTurn] = [now, 0]
      const isIn = isLetIn()
      if (isIn) inTurn++
      return isIn
    },
    read: reads.add,
    enter() {
      inFlight++
    },
    begin: begins.add,
    leave(ms) {
      inFlight--
      answers.add(ms)
    },
    sample(isBusy) {
      const before = wait
      wait = Math.max(reads.take(), begins.take())
      if (wait > target) follow(before)
      else probability *= isBusy ? decrease.busy : decrease.idle
      if (probability < 0.005) probability = 0
      adapt(answers.take(), isBusy)
      isFull = false
    },
  }

  function isLetIn(): boolean {
    if (Math.max(inFlight, inTurn) < few) return true
    if (inFlight >= bound) {
      isFull = true
      return false
    }
    return probability === 0 || random() >= probability
  }

  function follow(before: number): void {
    // While what has gathered is worked off, further refusals would come too late and be too many.
    if (wait < 0.9 * before) return
    const step = increase.step * Math.min(increase.times, wait / target)
    probability = Math.min(increase.most, probability + step)
  }

  function adapt(took: number, isBusy: boolean): void {
    if (isFull && took > answerTime.most) bound = Math.max(bounds.least, Math.floor(bound * 0.9))
    else if (isFull && took < answerTime.good) bound = Math.min(bounds.most, bound + bounds.least)
    else if (!isBusy && bound < bounds.first) bound = Math.min(bounds.first, bound + bounds.least)
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
