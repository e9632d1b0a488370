import type { SearchMatches } from '../../search/index.ts'
import type { Copies } from '../copies/copies.ts'

/** Lowers the score of each near-copy to that of its original, where both match a search. */
export function createScoreCap(copies: Copies) {
  /** By slot: the score of an original that matches, while scores are lowered. */
  let scoreOf = new Int32Array(0)

  return ({ slots, scores }: SearchMatches): void => {
    if (copies.count === 0) return
    if (scoreOf.length < copies.end) scoreOf = new Int32Array(Math.ceil(copies.end * 1.2))
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number
      if (copies.isCopied(slot)) scoreOf[slot] = scores[i] as number
    }
    for (let i = 0; i < slots.length; i++) {
      for (const original of copies.originalsOf(slots[i] as number)) {
        const score = scoreOf[original] as number
        if (score > 0) scores[i] = Math.min(scores[i] as number, score)
      }
    }
    for (let i = 0; i < slots.length; i++) scoreOf[slots[i] as number] = 0
  }
}
