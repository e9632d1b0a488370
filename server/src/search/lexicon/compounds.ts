import { stemOf as stemText } from '../text/stem.ts'
import type { CorpusStatistics } from './corpus-statistics.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * A compound is read as two words if the pair has at least this share of its document frequency,
 * and if at most this share of the skills have the compound.
 */
const MIN_SHARE = 0.1
const MAX_SHARE = 0.02

/** Stop words that form compounds, and their plurals: "log in", "up time", "pop-ups". */
export const PARTICLE = /^(?:up|in|out|off|on|down|over|through)s?$/
const COMPOUND = /^[a-z\d]{4,24}$/

/** Recognizes both spellings of a compound, such as "timezones" and "time zones". */
export function createCompounds(
  vocabulary: Vocabulary,
  { find, stemOf, stemDf, pairDf }: CorpusStatistics,
  /** Returns the skills with one of the words in name, slug or description. */
  headsWith: (words: readonly number[]) => ReadonlySet<number>,
) {
  const { lastStop, lastFiller, wordsOf } = vocabulary
  const isStop = (word: number) => word !== 0 && word <= lastStop
  return { join, split, stemOf: (text: string) => stemOf(find(text)) }

  /**
   * Returns the stem of the compound of two adjacent words, or 0 if no skill has it. Any words with
   * a hyphen can be one: "re-use", "wi-fi".
   */
  function join(a: string, b: string, isHyphened: boolean): number {
    const text = a + b
    if (a === '' || text.length > 16) return 0
    if (!isHyphened && !/^\d+$/.test(b)) {
      const [first, second] = [isStop(find(a)), isStop(find(b))]
      if (b.length < 2 || !COMPOUND.test(text)) return 0
      if ((first && (second || !PARTICLE.test(a))) || (second && !PARTICLE.test(b))) return 0
    }
    const stem = stemOf(find(text) || find(text.endsWith('s') ? text.slice(0, -1) : `${text}s`))
    return stemDf(stem) === 0 ? 0 : stem
  }

  /** Returns the words of a compound that skills also write as two words, or the word itself. */
  function split(text: string, size: number): readonly string[] {
    const df = COMPOUND.test(text) ? stemDf(stemOf(find(text))) : size
    let parts = [text]
    if (df > 20 + MAX_SHARE * size) return parts
    let best = MIN_SHARE * df
    for (let at = 1; at <= text.length - 2; at++) {
      const [a, b] = [text.slice(0, at), text.slice(at)]
      const word = find(a)
      if (word <= lastFiller) continue
      const next = find(b) || find(stemText(b))
      if (next <= lastFiller) continue
      const [first, second] = [stemOf(word), stemOf(next)]
      const frequency = first === second ? 0 : pairDf(first, second)
      if (frequency <= best) continue
      // The frequency of a pair is an estimate, so see whether a skill is about both.
      const heads = headsWith(wordsOf(first))
      if (![...headsWith(wordsOf(second))].some((head) => heads.has(head))) continue
      best = frequency
      parts = [a, b]
    }
    return parts
  }
}
