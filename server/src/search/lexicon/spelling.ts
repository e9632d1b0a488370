import {
  TYPO_FEW_WORDS,
  TYPO_FIRST_LETTER_BONUS,
  TYPO_MAX_COUNTS,
  TYPO_MAX_WORDS,
  TYPO_META_BONUS,
  TYPO_MIN_DOCUMENTS,
  TYPO_SHORT,
} from '../constants/constants.ts'
import { type HashedWord, hashBytes } from '../text/hashed-word.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface SpellingCorrector {
  /** Starts a new task, which may spend a bounded number of corrections. */
  begin(): void
  /** The vocabulary word one edit away that was most likely meant, or 0. */
  find(word: string): number
}

const encoder = new TextEncoder()

/** Letters as UTF-8, each of `width` bytes, and the words of them that are corrected. */
interface Alphabet {
  letters: Uint8Array
  width: number
  test: RegExp
}

const ALPHABETS: readonly Alphabet[] = [
  {
    letters: encoder.encode('abcdefghijklmnopqrstuvwxyz'),
    width: 1,
    test: /^[a-z]{4,24}$/,
  },
  {
    letters: encoder.encode('абвгдежзиклмнопрстуфхцчшщъыьэюя'),
    width: 2,
    test: /^[а-я]{4,24}$/,
  },
]

/** Bytes of the longest word that is corrected, and a letter more. */
const LONGEST = 25 * 2

/** Finds corrections by making every edit of a word and looking each up: no index is needed. */
export function createSpellingCorrector(
  vocabulary: Vocabulary,
  /** How many skills have a word in name, slug or description. */
  countHeads: (word: number) => number,
): SpellingCorrector {
  /** The word that is corrected. */
  const own = new Uint8Array(LONGEST)
  let length = 0
  let width = 1
  /** The edit that is looked up; up to `at` it is the word, and `hashAt` is the hash of that. */
  const edit: HashedWord = { text: new Uint8Array(LONGEST), at: 0, length: 0, hash: 0 }
  let at = 0
  let hashAt = 0
  /** Two letters in the other order. */
  const swapped = new Uint8Array(4)
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
    if (word.length < TYPO_SHORT && vocabulary.count < TYPO_FEW_WORDS) return 0
    left--
    best = bestWeight = 0
    const { letters } = alphabet
    width = alphabet.width
    length = encoder.encodeInto(word, own).written
    hashAt = hashBytes(own, 0, 0)
    for (at = 0; at <= length; keep(width)) {
      const next = at + width
      if (at < length) consider(own, at, at, next)
      if (next < length) {
        for (let i = 0; i < width; i++) {
          swapped[i] = own[next + i] as number
          swapped[width + i] = own[at + i] as number
        }
        consider(swapped, 0, 2 * width, next + width)
      }
      for (let letter = 0; letter < letters.length; letter += width) {
        if (at < length) consider(letters, letter, letter + width, next)
        consider(letters, letter, letter + width, at)
      }
    }
    return best
  }

  /** Goes on to the next letter. */
  function keep(width: number): void {
    for (const end = at + width; at < end; at++) edit.text[at] = own[at] as number
    hashAt = hashBytes(own, at - width, at, hashAt)
  }

  /** Looks up the word up to `at`, then the letters of `source` between two places, then its `tail`. */
  function consider(source: Uint8Array, from: number, to: number, tail: number): void {
    const hash = hashBytes(own, tail, length, hashBytes(source, from, to, hashAt))
    // nearly all edits are no words, and need not be written
    if (!vocabulary.mayHave(hash)) return
    const { text } = edit
    let end = at
    for (let i = from; i < to; i++) text[end++] = source[i] as number
    for (let i = tail; i < length; i++) text[end++] = own[i] as number
    edit.length = end
    edit.hash = hash
    const entry = vocabulary.find(edit)
    if (entry > vocabulary.lastStop && entry !== best) weigh(entry)
  }

  /** Makes an entry the best so far, if it is. */
  function weigh(entry: number): void {
    const df = vocabulary.wordDf[entry] as number
    if (df === 0) return
    // counting is slow, and even if all had it in their heads it would not be the best
    const factor = sameFirst() ? TYPO_FIRST_LETTER_BONUS : 1
    if (df * (1 + TYPO_META_BONUS) * factor <= bestWeight || counts === 0) return
    counts--
    const meta = countHeads(entry)
    if (df <= TYPO_MIN_DOCUMENTS && meta === 0) return
    const weight = (df + TYPO_META_BONUS * meta) * factor
    const isBest =
      weight > bestWeight ||
      (weight === bestWeight && vocabulary.text(entry) < vocabulary.text(best))
    if (!isBest) return
    best = entry
    bestWeight = weight
  }

  /** Whether the edit begins with the word's first letter. */
  function sameFirst(): boolean {
    return edit.text[0] === own[0] && (width === 1 || edit.text[1] === own[1])
  }
}
