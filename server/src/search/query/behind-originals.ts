import type { HitNumbers } from './ties.ts'

/**
 * Puts each near-copy behind its originals, with no higher numbers than theirs: right behind the last
 * of them if it stood before. A near-copy whose original is not among the hits goes to the end without
 * score and confidence, since its original, which says the same, has earned neither; unless that is the
 * younger skill, by which nobody loses what was earned before.
 */
export function behindOriginals<Key, T extends HitNumbers>(
  hits: readonly T[],
  keyOf: (hit: T) => Key,
  originalsOf: (hit: T) => readonly Key[],
  isOlder: (hit: T, than: Key) => boolean,
): readonly T[] {
  const originals = hits.map(originalsOf)
  if (originals.every((list) => list.length === 0)) return hits
  const places = new Map(hits.map((hit, place) => [keyOf(hit), place]))
  const end = hits.length
  const placed = hits.map((hit, own) => {
    const absent = (key: Key) => (isOlder(hit, key) ? own : end)
    const theirs = originals[own]?.map((key) => places.get(key) ?? absent(key)) ?? []
    const place = Math.max(own, ...theirs)
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
