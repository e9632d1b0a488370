import type { Original, ViewedHit } from './ranking.ts'

/** The part of a hit that decides its place among originals. */
export type CopyHit = Pick<ViewedHit, 'slot' | 'score' | 'confidence'> & {
  readonly view: Pick<ViewedHit['view'], 'createdAt' | 'originals'>
}

/**
 * Puts each near-copy behind its originals, with no higher numbers than theirs: right behind the last
 * of them if it stood before. A near-copy whose original is not among the hits goes to the end without
 * score and confidence, since its original, which says the same, has earned neither; unless that is the
 * younger skill, by which nobody loses what was earned before.
 */
export function behindOriginals<T extends CopyHit>(hits: T[]): T[] {
  if (hits.every(({ view }) => view.originals.length === 0)) return hits
  const places = new Map(hits.map(({ slot }, place) => [slot, place]))
  const end = hits.length
  const placed = hits.map((hit, own) => {
    const { originals, createdAt } = hit.view
    const placeOf = (original: Original) =>
      places.get(original.slot) ?? (createdAt < original.createdAt ? own : end)
    const place = Math.max(own, ...originals.map(placeOf))
    if (place === own) return { hit, place }
    const { score, confidence } = hits[place] ?? { score: 0, confidence: 0 }
    const lowered = {
      score: Math.min(score, hit.score),
      confidence: Math.min(confidence, hit.confidence),
    }
    // behind the original, which has this place as its own
    return { hit: { ...hit, ...lowered }, place: place + 0.5 }
  })
  return placed.sort((a, b) => a.place - b.place).map(({ hit }) => hit)
}
