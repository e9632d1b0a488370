/** What the confidence of a hit is told by. */
export interface Evidence {
  /** The hit's score times the most the task's words could give: evidence in nats. */
  raw: number
  /** Distinct stems of the task that are no fillers. */
  contentStems: number
  /** IDF share of the task's stems found in name, slug, tags or description. */
  coverage: number
  /** Score of the 50th over score of the first (of the last, where fewer match). */
  crowd: number
  /** Skills in the catalogue. */
  size: number
}

/** The calibrated probability that a skill with this evidence serves the task. */
export function confidenceOf({ raw, contentStems, coverage, crowd, size }: Evidence): number {
  const n = Math.max(1, contentStems)
  const perNat = raw / Math.log(Math.max(2, size))
  const withMargin =
    -0.41 + 0.728 * Math.log(perNat) + 0.655 * Math.log(n) + 2.161 * coverage - 6.662 * crowd
  const withoutMargin = -2.135 + 2.926 * Math.log(perNat) - 1.014 * Math.log(n) + 1.548 * coverage
  const share = Math.min(1, Math.max(0, Math.log(size / 300) / Math.log(5)))
  return 1 / (1 + Math.exp(-(share * withMargin + (1 - share) * withoutMargin)))
}
