import { COMPOUND_MAX_SHARE, COMPOUND_MIN_SHARE } from '../constants/constants.ts'
import { stemOf as stemText } from '../text/stem.ts'
import { type BigramFrequencies, pairSlot } from './bigram-frequencies.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Stop words that form compounds: "log in", "up time". */
const PARTICLE = /^(?:up|in|out|off|on|down|over|through)$/
const COMPOUND = /^[a-z]{5,24}$/

export type Compounds = ReturnType<typeof createCompounds>

/** Recognizes both spellings of a compound, such as "timezones" and "time zones". */
export function createCompounds(
  vocabulary: Vocabulary,
  pairs: BigramFrequencies,
  /** Returns the skills with one of the words in name, slug or description. */
  headsWith: (words: readonly number[]) => ReadonlySet<number>,
) {
  const { find, lastStop, lastFiller, wordsOf } = vocabulary
  const isStop = (word: number) => word !== 0 && word <= lastStop
  return { join, split, stemOf: (text: string) => stemOf(find(text)) }

  /** Returns the stem of the compound of two adjacent words, or 0 if no skill has it. */
  function join(a: string, b: string): number {
    const length = a.length + b.length
    if (a === '' || b.length < 2 || length < 5 || length > 16) return 0
    const [first, second] = [isStop(find(a)), isStop(find(b))]
    if ((first && (second || !PARTICLE.test(a))) || (second && !PARTICLE.test(b))) return 0
    const text = a + b
    if (!COMPOUND.test(text)) return 0
    const stem = stemOf(find(text) || find(text.endsWith('s') ? text.slice(0, -1) : `${text}s`))
    return vocabulary.stemDf[stem] === 0 ? 0 : stem
  }

  /** Returns the words of a compound that skills also write as two words, or the word itself. */
  function split(word: string, size: number): readonly string[] {
    const df = COMPOUND.test(word) ? (vocabulary.stemDf[stemOf(find(word))] as number) : size
    let parts = [word]
    if (df > 20 + COMPOUND_MAX_SHARE * size) return parts
    let best = COMPOUND_MIN_SHARE * df
    for (let at = 1; at <= word.length - 2; at++) {
      const [a, b] = [word.slice(0, at), word.slice(at)]
      const first = find(a)
      if (first <= lastFiller) continue
      const second = find(b) || find(stemText(b))
      if (second <= lastFiller) continue
      const pairDf = countPair(stemOf(first), stemOf(second))
      if (pairDf <= best) continue
      // The frequency of a pair is an estimate, so see whether a skill is about both.
      const heads = headsWith(wordsOf(stemOf(first)))
      if (![...headsWith(wordsOf(stemOf(second)))].some((head) => heads.has(head))) continue
      best = pairDf
      parts = [a, b]
    }
    return parts
  }

  /** A text can be a stem without being a word. */
  function stemOf(word: number): number {
    return (vocabulary.stems[word] as number) || word
  }

  function countPair(a: number, b: number): number {
    const { hashes, stemDf } = vocabulary
    const counted = pairs.estimate(pairSlot(hashes[a] as number, hashes[b] as number))
    return a === b ? 0 : Math.min(counted, stemDf[a] as number, stemDf[b] as number)
  }
}
