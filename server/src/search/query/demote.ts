import type { HitNumbers } from './ties.ts'

/**
 * Lowers what agents clearly found unhelpful: score and confidence times the hit's `factor`, 0 to 1.
 * It then stands behind every other hit that is better in either number, and has at most the numbers
 * of those before it. Hits with a factor of 1 keep their numbers and their order.
 */
export function demote<T extends HitNumbers>(hits: readonly T[], factor: (hit: T) => number): T[] {
  const factors = hits.map(factor)
  if (factors.every((each) => each >= 1)) return [...hits]
  const weighed = hits.map((hit, i) => ({ hit, factor: factors[i] as number }))
  const kept = weighed.filter((each) => each.factor >= 1).map(({ hit }) => hit)
  const lowered = weighed.map((each) =>
    each.factor >= 1 ? each : { ...each, hit: behind(kept, each.hit, each.factor) },
  )
  lowered.sort(
    (a, b) =>
      b.hit.score - a.hit.score || b.hit.confidence - a.hit.confidence || b.factor - a.factor,
  )
  let ceiling = 1
  return lowered.map(({ hit }) => {
    ceiling = Math.min(ceiling, hit.confidence)
    return ceiling < hit.confidence ? { ...hit, confidence: ceiling } : hit
  })
}

/** A lowered hit, no better in any number than those kept ones that beat it in either. */
function behind<T extends HitNumbers>(kept: readonly T[], hit: T, factor: number): T {
  let score = hit.score * factor
  let confidence = hit.confidence * factor
  for (const other of kept) {
    if (other.score <= score && other.confidence <= confidence) break
    score = Math.min(score, other.score)
    confidence = Math.min(confidence, other.confidence)
  }
  return { ...hit, score, confidence }
}
