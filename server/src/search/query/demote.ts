import type { ViewedHit } from './ranking.ts'

export type DemotedHit = Pick<ViewedHit, 'score' | 'confidence'> & {
  readonly view: Pick<ViewedHit['view'], 'demotion'>
}

/**
 * Multiplies score and confidence of each hit by its demotion, 0 to 1. A lowered hit moves behind
 * every hit that beats it in either number, and its numbers are capped at theirs. Hits with a
 * demotion of 1 keep their numbers and relative order.
 */
export function demote<T extends DemotedHit>(hits: T[]): T[] {
  const unchanged = hits.filter(({ view }) => view.demotion >= 1)
  if (unchanged.length === hits.length) return hits
  const lowered = hits.map((hit) => (hit.view.demotion >= 1 ? hit : behind(unchanged, hit)))
  lowered.sort(
    (a, b) => b.score - a.score || b.confidence - a.confidence || b.view.demotion - a.view.demotion,
  )
  let ceiling = 1
  return lowered.map((hit) => {
    ceiling = Math.min(ceiling, hit.confidence)
    return ceiling < hit.confidence ? { ...hit, confidence: ceiling } : hit
  })
}

/** Lowers a hit, and caps its numbers at those of the unchanged hits that beat it in either. */
function behind<T extends DemotedHit>(unchanged: readonly T[], hit: T): T {
  let score = hit.score * hit.view.demotion
  let confidence = hit.confidence * hit.view.demotion
  for (const other of unchanged) {
    if (other.score <= score && other.confidence <= confidence) break
    score = Math.min(score, other.score)
    confidence = Math.min(confidence, other.confidence)
  }
  return { ...hit, score, confidence }
}
