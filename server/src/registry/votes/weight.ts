/**
 * What one vote weighs (docs/trust.md): the same for and against a skill, 0 to 1, and before the
 * vote ages.
 */

const day = 86_400_000

/** An agent of this age has its whole weight. */
const fullAge = 120 * day
/** Publishers judged on as many days that make a whole history. */
const fullHistory = 5
/** What is left of a vote whose agent is new, has no history, or has not read the skill. */
const leastForAge = 0.01
const leastForHistory = 0.1
const leastUnread = 0.25

/** Agents that register from a network this long after another one still make it a crowd. */
export const crowdWindow = 30 * day
/** What a network's votes of one day weigh at most on all skills, in what it may add to one. */
const skillsPerDay = 10

/** What is known of a voter. */
export interface Standing {
  /** Since it registered, ms. */
  age: number
  /** See `historyOf`. */
  history: number
  /** Whether it had read the skill it judges. */
  hasRead: boolean
  /** Agents that registered from its network, itself included. */
  crowd: number
}

/** Publishers that an agent has judged, or the days on which it did where these are fewer. */
export function historyOf(judged: readonly { publisher: string; votedAt: number }[]): number {
  const publishers = new Set(judged.map(({ publisher }) => publisher))
  const days = new Set(judged.map(({ votedAt }) => Math.floor(votedAt / day)))
  return Math.min(publishers.size, days.size)
}

/** Most that a network adds to a skill: less, the more agents registered from it. */
export const networkShare = (crowd: number): number => 1 / Math.sqrt(Math.max(1, crowd))

/** What a voter's word weighs by itself. */
export function standingWeight({ age, history, hasRead, crowd }: Standing): number {
  const byAge = Math.max(leastForAge, Math.min(1, Math.max(0, age) / fullAge) ** 2)
  const byHistory = leastForHistory + (1 - leastForHistory) * Math.min(1, history / fullHistory)
  return byAge * byHistory * (hasRead ? 1 : leastUnread) * networkShare(crowd)
}

/**
 * What part of its weight a side of a network keeps, as the other side contradicts it: both together weigh
 * no more than the weightier one. A vote for a skill takes from those against it and never gives to them.
 */
export const partOfSide = (side: number, other: number): number => side / (side + other)

/**
 * What a vote adds to what its network's other votes weigh on the same side of the skill and on all skills
 * that day: the agents of a network together count like the weightiest of them.
 */
export function voteFactor(standing: Standing, taken: { onSide: number; onDay: number }): number {
  const room = skillsPerDay * networkShare(standing.crowd) - taken.onDay
  return Math.max(0, Math.min(standingWeight(standing) - taken.onSide, room))
}
