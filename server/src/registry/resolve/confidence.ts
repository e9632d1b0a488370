import { CONFIDENCE } from './constants.ts'

/** What the confidence of a hit rests on. */
export interface Evidence {
  /** The ranking score: the share of what the task's words could give, plus the name's part. */
  score: number
  /** The score times what the task's words could give: evidence in nats. */
  raw: number
  /** Distinct stems of the task that are no fillers. */
  contentStems: number
  /** IDF share of the task's stems found in name, slug, tags or description. */
  coverage: number
  /** Score of the 50th over score of the first; 0 where fewer match. */
  crowd: number
  /** Score over score of the first. */
  relative: number
  /** Skills in the catalogue. */
  size: number
}

/**
 * What the fit sees, in the order of `CONFIDENCE`. `large` goes from 0 at 50 skills to 1 at 1,000:
 * IDF and the crowd at rank 50 tell little in a small catalogue, much in a large one.
 */
export function confidenceFeatures(evidence: Evidence): number[] {
  const { score, raw, contentStems, coverage, crowd, relative, size } = evidence
  const large = Math.min(1, Math.max(0, Math.log(size / 50) / Math.log(20)))
  const small = 1 - large
  const stems = Math.log(Math.max(1, contentStems))
  const share = Math.log(Math.max(score, 1e-6))
  const nats = Math.log(Math.max(raw, 1e-6) / Math.log(Math.max(3, size)))
  return [
    1,
    small,
    large * nats,
    small * share,
    large * stems,
    small * stems,
    large * coverage,
    small * coverage,
    large * crowd,
    Math.log(Math.max(relative, 1e-6)),
  ]
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
