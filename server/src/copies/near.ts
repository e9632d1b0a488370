/** Numbers of passages of two samples, see `comparable`. */
export interface Overlap {
  ofCopy: number
  ofOriginal: number
  shared: number
  /** Number of shared passages that the original's publisher had first. */
  originalFirst: number
  /** Number of shared passages that the copy's publisher had first. */
  copyFirst: number
}

/** Minimum share of either readme's passages in the other. */
const minShared = 0.6

/**
 * Minimum share each way if one publisher wrote both. A publisher's skills often share a template.
 */
const minSharedOfOnePublisher = 0.9

/**
 * Minimum share of the copy that is the original's text. Otherwise a skill that consists of a
 * licence would be the original of every skill that contains it.
 */
const minShareOfCopy = 0.35

/** Minimum number and share of the copy's passages that the original's publisher had first. */
const minOriginalFirst = 3
const minOriginalFirstShare = 0.18

/**
 * Returns whether a skill is a near-copy. `ratio` is the original's passage count over the copy's.
 */
export function isNearCopy(overlap: Overlap, ratio: number, isOnePublisher: boolean): boolean {
  const { ofCopy, ofOriginal, shared, originalFirst } = overlap
  if (originalFirst < Math.max(minOriginalFirst, minOriginalFirstShare * ofCopy)) return false
  const [inCopy, inOriginal] = [shared / ofOriginal, shared / ofCopy]
  if (isOnePublisher) return Math.min(inCopy, inOriginal) >= minSharedOfOnePublisher
  // If the original is smaller, the ratio of sizes limits its share of the copy.
  const copied = ratio < 1 ? inCopy * ratio : inOriginal
  return copied >= minShareOfCopy && Math.max(inCopy, inOriginal) >= minShared
}

/** Minimum share of the shorter text in the longer for a publisher's claim of a copy. */
const minClaimedShare = 0.3

/**
 * Returns whether two samples overlap enough for a publisher's claim that one is a copy of the
 * other. Returns false if a readme is too short for a sample.
 */
export function isClaimPlausible(one: readonly number[], other: readonly number[]): boolean {
  const { ofOne, ofOther, shared } = comparable(one, other)
  const shorter = Math.min(ofOne.length, ofOther.length)
  return shared.length >= Math.max(minOriginalFirst, minClaimedShare * shorter)
}

/** Returns the passages of two samples that both samples cover, and those in both. */
export function comparable(one: readonly number[], other: readonly number[]) {
  const reach = Math.min(one.at(-1) ?? 0, other.at(-1) ?? 0)
  const isCovered = (passage: number) => passage <= reach
  const [ofOne, ofOther] = [one.filter(isCovered), other.filter(isCovered)]
  return { ofOne, ofOther, shared: ofOne.filter((passage) => ofOther.includes(passage)) }
}
