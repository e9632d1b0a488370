import { flatIdf } from '../lexicon/corpus-statistics.ts'

/**
 * Maximum confidence of a skill whose readme contains none of the matched head terms, and the share
 * of these terms from which the maximum is 1.
 */
const UNSUPPORTED_CONFIDENCE = 0.6
const FULL_SUPPORT = 0.5

/** Catalogue sizes with fitted confidence weights. */
const CONFIDENCE_SIZES = [5, 60, 300, 1200, 12_000] as const

/** Weights of the features at each of these sizes. */
const CONFIDENCE = {
  constant: [1.224, 0.583, 0.205, -0.004, 0.038],
  score: [3.06, 3.593, 2.168, 2.243, 1.923],
  contentStems: [1.728, 2.019, 2.229, 2.113, 1.655],
  coverage: [2.725, 2.288, 1.683, 1.608, 1.32],
  pairs: [0.7, 0.514, 0.607, 0.604, 0.427],
  crowd: [-0.93, -0.93, -1.066, -1.305, -1.348],
  rarity: [1.339, 1.777, 1.673, 1.737, 1.724],
} as const

/** Weights of the two features that do not depend on the size. */
const NAME_MATCH_CONFIDENCE = 3.055
const RELATIVE_CONFIDENCE = 5.54

interface TaskFeatures {
  /** Content terms: query terms that are not fillers. */
  contentStems: number
  size: number
  rarity: number
}

/** Evidence of a hit besides its score. */
export interface HitEvidence {
  /** Evidence of adjacent pairs, as a share of the maximum word evidence. */
  pairs: number
  /** Share of the task's IDF in name, slug, tags or description, times the prose share. */
  coverage: number
  /** Name match: 1 if the name has all terms of the task and no other words. */
  nameMatch: number
  /** Share by IDF of the matched head terms that the readme also has, or 1 if it was not read. */
  readmeSupport: number
}

/** `top` is the best score. `crowd` is the score at `CROWD_RANK`, or 0 if fewer match. */
export type Confidence = (hit: HitEvidence, score: number, top: number, crowd: number) => number

/** Maximum confidence by readme support: a head without support in the readme proves little. */
const maxConfidence = (readmeSupport: number) =>
  UNSUPPORTED_CONFIDENCE + (1 - UNSUPPORTED_CONFIDENCE) * Math.min(1, readmeSupport / FULL_SUPPORT)

/** Flattens partial name matches, which prove little. */
const flattenName = (nameMatch: number) => nameMatch ** 4
const logOf = (share: number) => Math.log(Math.max(share, 1e-6))
const logOfPairs = (pairs: number) => Math.log(pairs + 0.05)

const [, SMALL, , , LARGEST] = CONFIDENCE_SIZES

/**
 * Minimum rarity, below 98 % of real tasks. Without it, a catalogue on one subject would never be
 * confident.
 */
const MIN_RARITY = 0.15

/**
 * Returns the log of the mean IDF over its maximum. It fades out in small catalogues, where all
 * words have about the same IDF. The maximum does not grow beyond the largest fitted size.
 */
const logOfRarity = ({ rarity, size }: TaskFeatures) =>
  Math.log(Math.max(MIN_RARITY, rarity / flatIdf(Math.min(size, LARGEST), 0))) *
  Math.min(1, Math.log(size) / Math.log(SMALL))

/**
 * Returns interpolation weights of `CONFIDENCE_SIZES` for a catalogue of `size` skills. They add up
 * to 1.
 */
function sharesOfSizes(size: number): number[] {
  const at = Math.log(Math.max(1, size))
  return CONFIDENCE_SIZES.map((fittedSize, i) => {
    const before = CONFIDENCE_SIZES[i - 1]
    const after = CONFIDENCE_SIZES[i + 1]
    const peak = Math.log(fittedSize)
    const other = at < peak ? before : after
    if (other === undefined) return 1
    return Math.max(0, 1 - (at - peak) / (Math.log(other) - peak))
  })
}

/**
 * Returns a function that maps evidence to the calibrated probability that a skill serves the task
 * (logistic regression). Most weights are interpolated between `CONFIDENCE_SIZES`, because IDF and
 * the crowd mean little in a small catalogue.
 */
export function createConfidence(task: TaskFeatures): Confidence {
  const { contentStems, size } = task
  // A task of fillers alone has no subject.
  if (contentStems === 0) return () => 0
  const shares = sharesOfSizes(size)
  const weightOf = (feature: keyof typeof CONFIDENCE) =>
    CONFIDENCE[feature].reduce((sum, weight, i) => sum + (shares[i] as number) * weight, 0)
  const constant =
    weightOf('constant') +
    weightOf('contentStems') * Math.log(Math.max(1, contentStems)) +
    weightOf('rarity') * logOfRarity(task)
  const ofScore = weightOf('score')
  const ofCoverage = weightOf('coverage')
  const ofPairs = weightOf('pairs')
  const ofCrowd = weightOf('crowd')
  return ({ pairs, coverage, nameMatch, readmeSupport }, score, top, crowd) => {
    const logit =
      constant +
      ofScore * logOf(score) +
      ofCoverage * coverage +
      ofPairs * logOfPairs(pairs) +
      ofCrowd * (crowd / top) +
      NAME_MATCH_CONFIDENCE * flattenName(nameMatch) +
      RELATIVE_CONFIDENCE * logOf(score / top)
    return Math.min(maxConfidence(readmeSupport), 1 / (1 + Math.exp(-logit)))
  }
}
