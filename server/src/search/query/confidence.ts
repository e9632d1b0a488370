import {
  BACKED,
  CONFIDENCE,
  CONFIDENCE_SIZES,
  UNBACKED_CONFIDENCE,
} from '../constants/constants.ts'
import { flatIdf } from '../lexicon/idf.ts'

/** Features of a task before it is answered. */
export interface TaskFeatures {
  /** Distinct stems of the task that are no fillers. */
  contentStems: number
  /** Skills in the catalogue. */
  size: number
  /** Mean IDF of the task's stems. */
  rarity: number
}

/** Features of a hit and its task that its confidence rests on. */
export interface HitEvidence extends TaskFeatures {
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

export type Confidence = (evidence: Omit<HitEvidence, keyof TaskFeatures>) => number

/**
 * The features of the fit in the order of `CONFIDENCE`: each once per size of
 * `CONFIDENCE_SIZES`, faded from one size to the next over the logarithm, since IDF and the crowd at
 * rank 70 tell little in a small catalogue and much in a large one. The name and the distance to the
 * first come last; they are the same at all sizes.
 */
export function confidenceFeatures(evidence: HitEvidence): number[] {
  const { score, pairs, contentStems, coverage, named, crowd, relative, size } = evidence
  const plain = [
    1,
    logOf(score),
    Math.log(Math.max(1, contentStems)),
    coverage,
    logOfPairs(pairs),
    crowd,
    logOfRarity(evidence),
  ]
  const shares = sharesOfSizes(size)
  const features = plain.flatMap((feature) => shares.map((share) => share * feature))
  features.push(nearlyOf(named), logOf(relative))
  return features
}

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
 * The calibrated probability that a skill with some evidence serves the task: `CONFIDENCE` over
 * `confidenceFeatures`, with what is known of a task put together once.
 */
export function createConfidence(asked: TaskFeatures): Confidence {
  const { contentStems, size } = asked
  // words that carry sentences along tell of no task, whichever skill has them
  if (contentStems === 0) return () => 0
  const shares = sharesOfSizes(size)
  const weightOf = (feature: number) =>
    shares.reduce(
      (sum, share, i) => sum + share * (CONFIDENCE[feature * shares.length + i] as number),
      0,
    )
  const constant =
    weightOf(0) +
    weightOf(2) * Math.log(Math.max(1, contentStems)) +
    weightOf(6) * logOfRarity(asked)
  const ofScore = weightOf(1)
  const ofCoverage = weightOf(3)
  const ofPairs = weightOf(4)
  const ofCrowd = weightOf(5)
  const ofNamed = CONFIDENCE[CONFIDENCE.length - 2] as number
  const ofRelative = CONFIDENCE[CONFIDENCE.length - 1] as number
  return ({ score, pairs, coverage, named, relative, crowd, backing }) => {
    const logit =
      constant +
      ofScore * logOf(score) +
      ofCoverage * coverage +
      ofPairs * logOfPairs(pairs) +
      ofCrowd * crowd +
      ofNamed * nearlyOf(named) +
      ofRelative * logOf(relative)
    return Math.min(mostOf(backing), 1 / (1 + Math.exp(-logit)))
  }
}
