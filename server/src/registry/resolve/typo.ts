import {
  TYPO_FIRST_LETTER_BONUS,
  TYPO_MAX_COUNTS,
  TYPO_MAX_WORDS,
  TYPO_META_BONUS,
  TYPO_MIN_DOCUMENTS,
} from './constants.ts'
import { createScanner } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface TypoFinder {
  /** Starts a new task: each may spend a bounded number of corrections. */
  begin(): void
  /** The vocabulary word one edit away that was most likely meant, or 0. */
  find(word: string): number
}

const ALPHABETS: readonly { letters: string; test: RegExp }[] = [
  { letters: 'abcdefghijklmnopqrstuvwxyz', test: /^[a-z]{4,24}$/ },
  { letters: 'абвгдежзиклмнопрстуфхцчшщъыьэюя', test: /^[а-я]{4,24}$/ },
]

/** Finds corrections by making every edit of a word and looking each up: no index is needed. */
export function createTypoFinder(
  vocabulary: Vocabulary,
  /** How many skills have a word in name, slug or description. */
  countHeads: (word: number) => number,
): TypoFinder {
  const scanner = createScanner()
  let left = 0
  /** Candidates that may still be counted in this task. */
  let counts = 0
  let best = 0
  let bestWeight = 0
  return {
    begin() {
      left = TYPO_MAX_WORDS
      counts = TYPO_MAX_COUNTS
    },
    find,
  }

  function find(word: string): number {
    const alphabet = ALPHABETS.find(({ test }) => test.test(word))
    if (alphabet === undefined || left === 0) return 0
    left--
    best = bestWeight = 0
    for (let i = 0; i <= word.length; i++) {
      const head = word.slice(0, i)
      const rest = word.slice(i + 1)
      if (i < word.length) consider(head + rest, word)
      if (i + 1 < word.length) {
        consider(head + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2), word)
      }
      for (const letter of alphabet.letters) {
        if (i < word.length) consider(head + letter + rest, word)
        consider(head + letter + word.slice(i), word)
      }
    }
    return best
  }

  function consider(candidate: string, word: string): void {
    scanner.load(candidate)
    const entry = vocabulary.find(scanner)
    if (entry <= vocabulary.lastStop) return
    const df = vocabulary.wordDf[entry] as number
    if (df === 0 || entry === best) return
    // counting is slow, and even if all had it in their heads it would not be the best
    const isFirst = candidate.charCodeAt(0) === word.charCodeAt(0)
    const factor = isFirst ? TYPO_FIRST_LETTER_BONUS : 1
    if (df * (1 + TYPO_META_BONUS) * factor <= bestWeight || counts === 0) return
    counts--
    const meta = countHeads(entry)
    if (df <= TYPO_MIN_DOCUMENTS && meta === 0) return
    const weight = (df + TYPO_META_BONUS * meta) * factor
    if (weight > bestWeight || (weight === bestWeight && candidate < vocabulary.text(best))) {
      best = entry
      bestWeight = weight
    }
  }
}
