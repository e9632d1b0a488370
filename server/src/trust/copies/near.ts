/** How the samples of two readmes overlap, as far as both reach. */
export interface Overlap {
  /** Passages of each up to the lesser of their greatest hashes: beyond it one sample says nothing. */
  ofCopy: number
  ofOriginal: number
  /** Passages that both have. */
  shared: number
  /** Shared passages that the original's publisher had first. */
  originals: number
  /** Shared passages that the copy's publisher had first. */
  copys: number
}

/** Least share of either readme's passages in the other. */
const LEAST_SHARED = 0.6

/** Least share that each has of the other where one publisher wrote both: series share a frame. */
const LEAST_SHARED_OF_ONE_PUBLISHER = 0.9

/**
 * Least share of the copy that is the original's text. Without it, who publishes a licence alone would
 * own all skills that hold it.
 */
const LEAST_OF_COPY = 0.35

/** Least number and share of a copy's passages that its original's publisher had first. */
const LEAST_ORIGINAL = 3
const LEAST_ORIGINAL_SHARE = 0.18

/** Whether a skill is a near-copy; `ratio` is how many passages the original has for one of the copy. */
export function isNear(overlap: Overlap, ratio: number, isOnePublisher: boolean): boolean {
  const { ofCopy, ofOriginal, shared, originals } = overlap
  if (originals < Math.max(LEAST_ORIGINAL, LEAST_ORIGINAL_SHARE * ofCopy)) return false
  const [inCopy, inOriginal] = [shared / ofOriginal, shared / ofCopy]
  if (isOnePublisher) return Math.min(inCopy, inOriginal) >= LEAST_SHARED_OF_ONE_PUBLISHER
  // The sizes tell more than a sample how little of a large text a small one is.
  const copied = ratio < 1 ? inCopy * ratio : inOriginal
  return copied >= LEAST_OF_COPY && Math.max(inCopy, inOriginal) >= LEAST_SHARED
}

/** Least share of the shorter text in the longer for a publisher to be believed that one copies the other. */
const LEAST_TOLD = 0.3

/** Whether two samples share a real part of their text. Readmes too short for a sample share nothing. */
export function isAlike(one: readonly number[], other: readonly number[]): boolean {
  const reach = reachOf(one, other)
  const [ofOne, ofOther] = [one, other].map((sample) => sample.filter((each) => each <= reach))
  const shared = ofOne?.filter((passage) => ofOther?.includes(passage)).length ?? 0
  const shorter = Math.min(ofOne?.length ?? 0, ofOther?.length ?? 0)
  return shared >= Math.max(LEAST_ORIGINAL, LEAST_TOLD * shorter)
}

/** The greatest passage up to which both samples tell all. */
export const reachOf = (one: readonly number[], other: readonly number[]): number =>
  Math.min(one.at(-1) ?? 0, other.at(-1) ?? 0)
