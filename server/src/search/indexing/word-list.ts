import { grown } from '../document/growth.ts'

/** Words in a row, in an array that grows. */
export interface WordList {
  words: Uint32Array
  length: number
}

export function createWordList(): WordList {
  return { words: new Uint32Array(512), length: 0 }
}

/** Makes room for so many more. */
export function reserve(list: WordList, more: number): void {
  list.words = grown(list.words, list.length + more, Uint32Array)
}

export function append(list: WordList, word: number): void {
  if (list.length === list.words.length) {
    list.words = grown(list.words, list.length + 1, Uint32Array)
  }
  list.words[list.length++] = word
}

export function appendAll(list: WordList, more: WordList): void {
  reserve(list, more.length)
  list.words.set(more.words.subarray(0, more.length), list.length)
  list.length += more.length
}

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
