import {
  BACKED,
  CONFIDENCE,
  CONFIDENCE_SIZES,
  NAMED_CONFIDENCE,
  RELATIVE_CONFIDENCE,
  UNBACKED_CONFIDENCE,
} from '../constants/constants.ts'
import { flatIdf } from '../lexicon/idf.ts'

/** Features of a task before it is answered. */
interface TaskFeatures {
  /** Distinct stems of the task that are no fillers. */
  contentStems: number
  /** Skills in the catalogue. */
  size: number
  /** Mean IDF of the task's stems. */
  rarity: number
}

/** Features of a hit that its confidence rests on. */
interface HitEvidence {
  /** The ranking score: the share of what the task's words could give, plus name and coverage. */
  score: number
  /** Evidence of words side by side, as a share of what the task's words could give. */
  pairs: number
  /** Share of the task's weight whose stems stand in name, slug, tags or description. */
  coverage: number
  /** How nearly the skill's name is the task, 1 where it says all of it and nothing else. */
  named: number
  /** Score over score of the first. */
  relative: number
  /** Score of the 70th, as estimated, over score of the first; 0 where fewer match. */
  crowd: number
  /**
   * The share by weight of the task's words in name, slug, tags or description that the readme has too; 1
   * where it was not read.
   */
  backing: number
}

export type Confidence = (evidence: HitEvidence) => number

/** The highest confidence: what the readme does not tell of is no certainty. */
const mostOf = (backing: number) =>
  UNBACKED_CONFIDENCE + (1 - UNBACKED_CONFIDENCE) * Math.min(1, backing / BACKED)

/** Half a name proves little. */
const nearlyOf = (named: number) => named ** 4
const logOf = (share: number) => Math.log(Math.max(share, 1e-6))
const logOfPairs = (pairs: number) => Math.log(pairs + 0.05)

const [, FEW, , , MOST] = CONFIDENCE_SIZES

/** Rarity counts from here on (2 % of real tasks are below), or a catalogue of one subject would be sure of nothing. */
const LEAST_RARITY = 0.15

/**
 * How rare the task's stems are; 0 where no skill holds any. It fades in a handful of skills, where all
 * words are about as rare, and grows no further than `MOST`: the IDF of common words does not either.
 */
const logOfRarity = ({ rarity, size }: TaskFeatures) =>
  Math.log(Math.max(LEAST_RARITY, rarity / flatIdf(Math.min(size, MOST), 0))) *
  Math.min(1, Math.log(size) / Math.log(FEW))

/** How much each of `CONFIDENCE_SIZES` counts for a catalogue of `size` skills; together 1. */
function sharesOfSizes(size: number): number[] {
  const at = Math.log(Math.max(1, size))
  return CONFIDENCE_SIZES.map((own, i) => {
    const before = CONFIDENCE_SIZES[i - 1]
    const after = CONFIDENCE_SIZES[i + 1]
    const peak = Math.log(own)
    const other = at < peak ? before : after
    if (other === undefined) return 1
    return Math.max(0, 1 - (at - peak) / (Math.log(other) - peak))
  })
}

/**
 * The calibrated probability that a skill with some evidence serves the task, by logistic regression. Most
 * features have a weight for each of `CONFIDENCE_SIZES`, since IDF and the crowd at rank 70 tell little in
 * a small catalogue and much in a large one.
 */
export function createConfidence(asked: TaskFeatures): Confidence {
  const { contentStems, size } = asked
  // words that carry sentences along tell of no task, whichever skill has them
  if (contentStems === 0) return () => 0
  const shares = sharesOfSizes(size)
  const weightOf = (feature: keyof typeof CONFIDENCE) =>
    CONFIDENCE[feature].reduce((sum, weight, i) => sum + (shares[i] as number) * weight, 0)
  const constant =
    weightOf('constant') +
    weightOf('contentStems') * Math.log(Math.max(1, contentStems)) +
    weightOf('rarity') * logOfRarity(asked)
  const ofScore = weightOf('score')
  const ofCoverage = weightOf('coverage')
  const ofPairs = weightOf('pairs')
  const ofCrowd = weightOf('crowd')
  return ({ score, pairs, coverage, named, relative, crowd, backing }) => {
    const logit =
      constant +
      ofScore * logOf(score) +
      ofCoverage * coverage +
      ofPairs * logOfPairs(pairs) +
      ofCrowd * crowd +
      NAMED_CONFIDENCE * nearlyOf(named) +
      RELATIVE_CONFIDENCE * logOf(relative)
    return Math.min(mostOf(backing), 1 / (1 + Math.exp(-logit)))
  }
}
