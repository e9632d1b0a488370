import type { SearchMatches } from '../../search/index.ts'
import type { Copies } from '../copies/copies.ts'

/** Lowers the score of each near-copy to that of its original, where both match a search. */
export function capScores(copies: Copies, { slots, scores }: SearchMatches): void {
  if (copies.count === 0) return
  /** Scores of copied skills that match. */
  const scoreOf = new Map<number, number>()
  for (const [i, slot] of slots.entries()) {
    if (copies.isCopied(slot)) scoreOf.set(slot, scores[i] as number)
  }
  if (scoreOf.size === 0) return
  for (const [i, slot] of slots.entries()) {
    for (const original of copies.originalsOf(slot)) {
      scores[i] = Math.min(scores[i] as number, scoreOf.get(original) ?? Number.POSITIVE_INFINITY)
    }
  }
}
