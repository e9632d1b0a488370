import { CONFIDENCE, CONFIDENCE_SIZES } from './constants.ts'

/** What the confidence of a hit rests on. */
export interface Evidence {
  /** The ranking score: the share of what the task's words could give, plus name and coverage. */
  score: number
  /** Evidence of words side by side, as a share of what the task's words could give. */
  pairs: number
  /** Distinct stems of the task that are no fillers. */
  contentStems: number
  /** Share of the task's weight whose stems stand in name, slug, tags or description. */
  coverage: number
  /** Score of the 50th over score of the first; 0 where fewer match. */
  crowd: number
  /** Score over score of the first. */
  relative: number
  /** Skills in the catalogue. */
  size: number
}

/**
 * What the fit sees, in the order of `CONFIDENCE`: each feature once per size of
 * `CONFIDENCE_SIZES`, faded from one size to the next over the logarithm, since IDF and the crowd at
 * rank 50 tell little in a small catalogue and much in a large one. The distance to the first comes
 * last; it is the same at all sizes.
 */
export function confidenceFeatures(evidence: Evidence): number[] {
  const { score, pairs, contentStems, coverage, crowd, relative, size } = evidence
  const plain = [
    1,
    Math.log(Math.max(score, 1e-6)),
    Math.log(Math.max(1, contentStems)),
    coverage,
    Math.log(pairs + 0.05),
    crowd,
  ]
  const shares = sharesOfSizes(size)
  const features = plain.flatMap((feature) => shares.map((share) => share * feature))
  features.push(Math.log(Math.max(relative, 1e-6)))
  return features
}

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

/** The calibrated probability that a skill with this evidence serves the task. */
export function confidenceOf(evidence: Evidence): number {
  const features = confidenceFeatures(evidence)
  let logit = 0
  for (let i = 0; i < features.length; i++) {
    logit += (features[i] as number) * (CONFIDENCE[i] as number)
  }
  return 1 / (1 + Math.exp(-logit))
}
