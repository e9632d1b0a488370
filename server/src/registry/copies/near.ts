/** How two samples of passages overlap, as far as both reach. */
export interface Overlap {
  /** Passages of each up to the least of their greatest hashes: beyond it one sample says nothing. */
  readonly ofCopy: number
  readonly ofOriginal: number
  /** Those that both have. */
  readonly shared: number
  /** Those that both have and the original's publisher had first. */
  readonly originals: number
  /** Those that both have and the copy's publisher had first. */
  readonly copys: number
  /** How many passages the original has for one of the copy, in all. */
  readonly ratio: number
}

/** Least share of the original's passages in a copy, or of the copy's in its original. */
const LEAST_SHARED = 0.6

/** Least share that each has of the other where one publisher wrote both: series share a frame. */
const LEAST_SHARED_OF_ONE_PUBLISHER = 0.9

/**
 * Least share of the copy that is the original's text: else who publishes a licence alone would own all
 * skills that hold it.
 */
const LEAST_OF_COPY = 0.35

/** Passages of a copy that its original's publisher had first: what a frame or a licence has are another's. */
const LEAST_ORIGINAL = 3
const LEAST_ORIGINAL_SHARE = 0.18

/** Whether a skill is a near-copy of another, by their samples. */
export function isNear(overlap: Overlap, isOnePublisher: boolean): boolean {
  const { ofCopy, ofOriginal, shared, originals, ratio } = overlap
  if (originals < Math.max(LEAST_ORIGINAL, LEAST_ORIGINAL_SHARE * ofCopy)) return false
  const [inCopy, inOriginal] = [shared / ofOriginal, shared / ofCopy]
  if (isOnePublisher) return Math.min(inCopy, inOriginal) >= LEAST_SHARED_OF_ONE_PUBLISHER
  // sizes tell more than a sample how little of a large text a small one is
  const copied = ratio < 1 ? inCopy * ratio : inOriginal
  if (copied < LEAST_OF_COPY) return false
  return Math.max(inCopy, inOriginal) >= LEAST_SHARED
}

/** Least share of the shorter text in the longer for a publisher to be believed that one copies the other. */
const LEAST_TOLD = 0.3

/**
 * Whether two samples share a real part of their text: without that nobody's word makes one the copy of
 * the other, but an operator's. A text that is too short for a sample shares nothing.
 */
export function isAlike(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  const last = (sample: ArrayLike<number>) => sample[sample.length - 1] ?? 0
  const reach = Math.min(last(one), last(other))
  const within = (sample: ArrayLike<number>) => Array.from(sample).filter((each) => each <= reach)
  const [ofOne, ofOther] = [within(one), within(other)]
  const shared = ofOne.filter((passage) => ofOther.includes(passage)).length
  return shared >= Math.max(LEAST_ORIGINAL, LEAST_TOLD * Math.min(ofOne.length, ofOther.length))
}
