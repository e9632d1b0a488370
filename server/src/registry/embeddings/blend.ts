/** Cosines that lie closer together than this differ by chance, not by meaning. */
const leastSpread = 0.1

/**
 * What candidates are ordered by: score over the best score, plus `weight` times the cosine, which is
 * stretched over the candidates to 0 to 1. One without a cosine counts as the mean of the others.
 */
export function blend(
  scores: readonly number[],
  cosines: readonly (number | undefined)[],
  weight: number,
): number[] {
  const known = cosines.filter((cosine) => cosine !== undefined)
  const least = Math.min(...known)
  const spread = Math.max(leastSpread, Math.max(...known) - least)
  const mean = known.reduce((sum, cosine) => sum + cosine, 0) / known.length
  const best = Math.max(...scores)
  return scores.map((score, index) => {
    const relative = best > 0 ? score / best : 0
    return relative + (weight * ((cosines[index] ?? mean) - least)) / spread
  })
}
