import type { Original, ViewedHit } from './ranking.ts'

export type CopyHit = Pick<ViewedHit, 'slot' | 'score' | 'confidence'> & {
  readonly view: Pick<ViewedHit['view'], 'createdAt' | 'originals'>
}

/**
 * Moves each near-copy right behind the last of its originals and caps its score and confidence at
 * theirs. A copy whose original is not among the hits goes to the end with score and confidence 0,
 * because the original has the same content and did not match. It keeps its place if that original
 * is younger, so that publishing a skill cannot lower an older one.
 */
export function behindOriginals<T extends CopyHit>(hits: T[]): T[] {
  if (hits.every(({ view }) => view.originals.length === 0)) return hits
  const places = new Map(hits.map(({ slot }, place) => [slot, place]))
  const end = hits.length
  const placed = hits.map((hit, rank) => {
    const { originals, createdAt } = hit.view
    const placeOf = (original: Original) =>
      places.get(original.slot) ?? (createdAt < original.createdAt ? rank : end)
    const place = Math.max(rank, ...originals.map(placeOf))
    if (place === rank) return { hit, place }
    const { score, confidence } = hits[place] ?? { score: 0, confidence: 0 }
    const lowered = {
      score: Math.min(score, hit.score),
      confidence: Math.min(confidence, hit.confidence),
    }
    // Behind the original, which keeps the integer place.
    return { hit: { ...hit, ...lowered }, place: place + 0.5 }
  })
  return placed.sort((a, b) => a.place - b.place).map(({ hit }) => hit)
}
