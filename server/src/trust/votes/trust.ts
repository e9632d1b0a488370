import { aging } from '../store/counts.ts'

/**
 * The trust score: how surely a skill helps (server/docs/registry.md#trust-score).
 *
 * Votes weigh less with age: half after 180 days. Both sums are kept relative to a fixed epoch,
 * where a vote's weight never changes, so adding one needs no look at the others.
 */

const { epoch, halfLife } = aging

/** 95 % of a normal distribution lies within this many standard deviations. */
const z = 1.96

/** Most that readers alone can give, and the daily networks that give it. */
const priorLimit = 0.15
const priorFetches = 10_000
/** Weight of unhelpful votes at which half of the prior is gone. */
const priorStrength = 2

/** What was said of a deleted skill waits this long for its text: votes of this age weigh a quarter. */
export const judgementsWait = 2 * halfLife

/** What a whole vote cast at `time` (ms) weighs, relative to the epoch. */
export const voteWeight = (time: number): number => 2 ** ((time - epoch) / halfLife)

/** Sums of the votes of distinct networks, relative to the epoch. */
export interface Votes {
  helpfulWeight: number
  unhelpfulWeight: number
}

/** Votes as they weigh at a time. */
function votesAt({ helpfulWeight, unhelpfulWeight }: Votes, now: number) {
  const scale = voteWeight(now)
  return {
    helpful: Math.max(0, helpfulWeight / scale),
    unhelpful: Math.max(0, unhelpfulWeight / scale),
  }
}

export interface TrustEvidence extends Votes {
  /** Networks that fetched the skill, each counted once a day, the owner's left out. */
  networkFetchCount: number
}

/**
 * 0 to 1: the lower bound of the Wilson interval over the votes, raised by a small prior that grows
 * with the logarithm of the networks that read and fades as unhelpful votes come. No votes and no
 * fetches is 0; one more helpful vote never lowers it.
 */
export function trustScore(evidence: TrustEvidence, now: number): number {
  const { helpful, unhelpful } = votesAt(evidence, now)
  const known = Math.min(1, Math.log1p(evidence.networkFetchCount) / Math.log1p(priorFetches))
  const prior = priorLimit * known * (priorStrength / (priorStrength + unhelpful))
  return 1 - (1 - wilsonLowerBound(helpful, unhelpful)) * (1 - prior)
}

/** Steps by which votes order skills that fit equally well, so that next to nothing parts no equals. */
const steps = 10

/** What votes alone say, -1 to 1 in tenths: how surely a skill helps, less how surely it does not. */
export function voteTrust(votes: Votes, now: number): number {
  const { helpful, unhelpful } = votesAt(votes, now)
  const sure = wilsonLowerBound(helpful, unhelpful) - wilsonLowerBound(unhelpful, helpful)
  return Math.trunc(steps * sure) / steps
}

/** Lower bound of the Wilson score interval for the share of helpful votes; weights may be fractions. */
export function wilsonLowerBound(helpful: number, unhelpful: number): number {
  const n = helpful + unhelpful
  if (n === 0) return 0
  const share = helpful / n
  const middle = share + z ** 2 / (2 * n)
  const spread = z * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))
  return Math.max(0, (middle - spread) / (1 + z ** 2 / n))
}

/** Votes are clearly against a skill where even the upper bound of its helpful share is below this. */
const clearlyUnhelpful = 0.4
/** What the clearest votes leave of a ranking score. */
const leastLeft = 0.5

/**
 * What agents' votes leave of a skill's rank: 1 unless they clearly found it unhelpful, then less, in
 * proportion to the upper bound of the Wilson interval for its helpful share, down to 0.5.
 */
export function demotion(votes: Votes, now: number): number {
  if (votes.unhelpfulWeight <= 0) return 1
  const { helpful, unhelpful } = votesAt(votes, now)
  const upperBound = 1 - wilsonLowerBound(unhelpful, helpful)
  return leastLeft + (1 - leastLeft) * Math.min(1, upperBound / clearlyUnhelpful)
}
