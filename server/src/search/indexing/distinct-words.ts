import type { WordList } from '../document/word-list.ts'

/** Counts the distinct words of lists that grow. */
export interface DistinctWords {
  /** Whether the lists hold at least so many; cheap as long as they hold fewer words at all. */
  reach(most: number): boolean
  /** Begins anew, for lists that were emptied. */
  clear(): void
}

export function createDistinctWords(lists: readonly WordList[]): DistinctWords {
  const words = new Set<number>()
  /** How far each list is counted. */
  const counted = new Uint32Array(lists.length)
  return { reach, clear }

  function reach(most: number): boolean {
    let total = 0
    for (let i = 0; i < lists.length; i++) total += (lists[i] as WordList).length
    if (total < most) return false
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i] as WordList
      for (let at = counted[i] as number; at < list.length; at++)
        words.add(list.words[at] as number)
      counted[i] = list.length
    }
    return words.size >= most
  }

  function clear(): void {
    words.clear()
    counted.fill(0)
  }
}
