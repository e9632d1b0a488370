import type { ScannedWord } from './hashed-word.ts'

/** Places for recent words; a power of 2. */
const RECENT = 16_384
const LONGEST_RECENT = 12

/**
 * A cache of the entries of words of up to twelve bytes, most of which are met again soon: without it
 * reading the corpus takes a fifth more CPU time.
 */
export type RecentWords = Int32Array

export function createRecentWords(): RecentWords {
  return new Int32Array(RECENT * 4)
}

/** Remembers the entry of a word. */
export function remember(recent: RecentWords, word: ScannedWord, entry: number): void {
  if (word.length > LONGEST_RECENT) return
  const place = placeOf(word.hash)
  recent[place] = word.low
  recent[place + 1] = word.middle
  recent[place + 2] = word.high
  recent[place + 3] = entry
}

/** The entry of a word that is remembered, or 0. */
export function recall(recent: RecentWords, word: ScannedWord): number {
  if (word.length > LONGEST_RECENT) return 0
  const place = placeOf(word.hash)
  const isKnown =
    recent[place] === word.low &&
    recent[place + 1] === word.middle &&
    recent[place + 2] === word.high
  return isKnown ? (recent[place + 3] as number) : 0
}

/** The place of a word by its hash. */
function placeOf(hash: number): number {
  return ((hash ^ (hash >>> 15)) & (RECENT - 1)) * 4
}
