import { aging } from '../store/registry/counts.ts'

/**
 * The trust score estimates how reliably a skill helps (server/docs/registry.md#trust-score).
 *
 * The weight of a vote halves every 180 days. Sums of votes are relative to a fixed epoch, at which
 * the weight of a vote never changes.
 */

const { epoch, halfLife } = aging

/** Standard deviations around the mean that contain 95 % of a normal distribution. */
const z = 1.96

/**
 * Maximum score from fetches alone, and the number of fetches by distinct networks that reaches it.
 */
const priorLimit = 0.15
const priorFetches = 10_000
/** Weight of unhelpful votes that halves the prior. */
const priorStrength = 2

/**
 * Time for which the votes and feedback of a deleted skill wait for a new skill with its text, ms.
 * Votes of this age weigh a quarter.
 */
export const voteRetention = 2 * halfLife

/** Returns the weight of a full vote cast at `time` (ms), relative to the epoch. */
export const voteWeight = (time: number): number => 2 ** ((time - epoch) / halfLife)

/** Sums of votes, one per network, relative to the epoch. */
interface Votes {
  helpfulWeight: number
  unhelpfulWeight: number
}

/** Returns the sums of votes as weighted at `now`. */
function votesAt({ helpfulWeight, unhelpfulWeight }: Votes, now: number) {
  const scale = voteWeight(now)
  return {
    helpful: Math.max(0, helpfulWeight / scale),
    unhelpful: Math.max(0, unhelpfulWeight / scale),
  }
}

interface TrustEvidence extends Votes {
  /** Fetches by distinct networks per day, without the owner's network. */
  networkFetchCount: number
}

/**
 * Returns the trust score, 0 to 1: the lower bound of the Wilson interval of the votes, raised by a
 * small prior. The prior grows with the logarithm of fetches and shrinks with unhelpful votes. The
 * score is 0 without votes and fetches, and a helpful vote never lowers it.
 */
export function trustScore(evidence: TrustEvidence, now: number): number {
  const { helpful, unhelpful } = votesAt(evidence, now)
  const fetchShare = Math.min(1, Math.log1p(evidence.networkFetchCount) / Math.log1p(priorFetches))
  const prior = priorLimit * fetchShare * (priorStrength / (priorStrength + unhelpful))
  return 1 - (1 - wilsonLowerBound(helpful, unhelpful)) * (1 - prior)
}

/** Number of steps of `voteBalance`. Small differences do not order skills with equal scores. */
const steps = 10

/**
 * Returns how reliably a skill helps minus how reliably it does not, by its votes: -1 to 1,
 * truncated to tenths.
 */
export function voteBalance(votes: Votes, now: number): number {
  const { helpful, unhelpful } = votesAt(votes, now)
  const difference = wilsonLowerBound(helpful, unhelpful) - wilsonLowerBound(unhelpful, helpful)
  return Math.trunc(steps * difference) / steps
}

/** Returns the lower bound of the 95 % Wilson interval of the helpful share. Accepts fractions. */
function wilsonLowerBound(helpful: number, unhelpful: number): number {
  const n = helpful + unhelpful
  if (n === 0) return 0
  const share = helpful / n
  const middle = share + z ** 2 / (2 * n)
  const spread = z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))
  return Math.max(0, (middle - spread) / (1 + z ** 2 / n))
}

/** Upper bound of the helpful share below which a skill is clearly unhelpful. */
const clearlyUnhelpful = 0.4
/** Minimum factor of a ranking score. */
const minDemotion = 0.5

/**
 * Returns the factor, 0.5 to 1, by which votes lower a skill's ranking score. It is 1 unless the
 * skill is clearly unhelpful, and then falls linearly with the upper bound of the Wilson interval
 * of its helpful share.
 */
export function demotion(votes: Votes, now: number): number {
  if (votes.unhelpfulWeight <= 0) return 1
  const { helpful, unhelpful } = votesAt(votes, now)
  const upperBound = 1 - wilsonLowerBound(unhelpful, helpful)
  return minDemotion + (1 - minDemotion) * Math.min(1, upperBound / clearlyUnhelpful)
}
