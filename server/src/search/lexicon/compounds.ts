import { COMPOUND_MIN_SHARE, COMPOUND_PAIR_NOISE } from '../constants/constants.ts'
import { stemOf } from '../text/stem.ts'
import { type BigramFrequencies, pairSlot } from './bigram-frequencies.ts'
import type { Vocabulary } from './vocabulary.ts'

const LETTERS = /^[a-z]+$/
const COMPOUND = /^[a-z]{5,24}$/

export type Compounds = ReturnType<typeof createCompounds>

/**
 * Recognizes the two spellings of a compound, such as "timezones" and "time zones", by their
 * frequencies in the catalogue.
 */
export function createCompounds(
  vocabulary: Vocabulary,
  pairs: BigramFrequencies,
  /** Counts the skills with a word of each list in name, slug or description. */
  countBoth: (some: readonly number[], others: readonly number[]) => number,
) {
  const { find, lastStop, lastFiller } = vocabulary
  return { join, split }

  /**
   * Returns the compound of two adjacent words, or undefined if no skill has it. `isUsual` tells
   * that skills hardly ever write it as two words.
   */
  function join(a: string, b: string): { text: string; isUsual: boolean } | undefined {
    const text = a + b
    if (b.length < 2 || !COMPOUND.test(text) || !LETTERS.test(a)) return undefined
    const [first, second] = [find(a), find(b)]
    if (isStop(first) && isStop(second)) return undefined
    const known = [text, text.replace(/s$/, ''), `${text}s`].find((each) => dfOf(find(each)) > 0)
    if (known === undefined) return undefined
    const pairDf = countPair(stemOfWord(first), stemOfWord(second))
    const isUsual = pairDf < COMPOUND_MIN_SHARE * dfOf(find(known))
    return { text: known, isUsual: isUsual && !isStop(first) && !isStop(second) }
  }

  /** Returns the two words of a compound that skills write as two words, at least sometimes. */
  function split(word: string, size: number): [string, string] | undefined {
    if (!COMPOUND.test(word)) return undefined
    const df = dfOf(find(word))
    if (df > 20 + size / 50) return undefined
    let best = Math.max(COMPOUND_MIN_SHARE * df, COMPOUND_PAIR_NOISE * size)
    let parts: [string, string] | undefined
    for (let at = 1; at <= word.length - 2; at++) {
      const first = find(word.slice(0, at))
      if (first === 0 || first <= lastFiller) continue
      const second = find(word.slice(at)) || find(stemOf(word.slice(at)))
      if (second === 0 || second <= lastFiller) continue
      const pairDf = countPair(stemOfWord(first), stemOfWord(second))
      if (pairDf <= best) continue
      const heads = countBoth(
        vocabulary.wordsOf(stemOfWord(first)),
        vocabulary.wordsOf(stemOfWord(second)),
      )
      if (heads === 0) continue
      best = pairDf
      parts = [word.slice(0, at), word.slice(at)]
    }
    return parts
  }

  function isStop(word: number): boolean {
    return word !== 0 && word <= lastStop
  }

  function dfOf(word: number): number {
    return vocabulary.stemDf[stemOfWord(word)] as number
  }

  /** Returns the stem of a word. A text can be a stem without being a word. */
  function stemOfWord(word: number): number {
    return (vocabulary.stems[word] as number) || word
  }

  /** A pair cannot be more frequent than either stem. */
  function countPair(a: number, b: number): number {
    const { hashes, stemDf } = vocabulary
    if (a === 0 || b === 0 || a === b) return 0
    const counted = pairs.estimate(pairSlot(hashes[a] as number, hashes[b] as number))
    return Math.min(counted, stemDf[a] as number, stemDf[b] as number)
  }
}
