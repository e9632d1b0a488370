import type { CorpusStatistics } from './corpus-statistics.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * Below this number of texts, unknown words shorter than `SHORT` are not corrected: most of them
 * are real words that few skills lack.
 */
const FEW_WORDS = 30_000
const SHORT = 7

/** A correction must occur in more documents than this, or in a name, slug or description. */
const MIN_DOCUMENTS = 3

/** Weight of an occurrence in name, slug or description relative to a document frequency of 1. */
const META_BONUS = 20

/** Factor for a correction with the same first letter. */
const FIRST_LETTER_BONUS = 3

/** Maximum number of corrected words per task. Each takes about 500 lookups. */
const MAX_CORRECTIONS = 32

/**
 * Maximum number of corrections per task whose head frequency is counted. Each count reads a list
 * in every segment.
 */
const MAX_COUNTS = 300

const LATIN = /^[a-z]{4,24}$/
const CYRILLIC = /^[а-я]{4,24}$/

/** Corrects words by generating every edit at distance one and looking it up in the vocabulary. */
export function createSpellingCorrector(
  vocabulary: Vocabulary,
  { wordDf, countTexts }: CorpusStatistics,
  /** Number of skills with the word in name, slug or description. */
  countHeads: (word: number) => number,
) {
  let correctionsLeft = 0
  /** Head counts that remain for this task. */
  let countsLeft = 0
  return {
    /** Resets the budget of corrections for a new task. */
    begin() {
      correctionsLeft = MAX_CORRECTIONS
      countsLeft = MAX_COUNTS
    },
    find,
  }

  /** Returns the likeliest vocabulary word one edit away, or 0. */
  function find(word: string): number {
    const letters = lettersOf(word)
    if (letters === '' || correctionsLeft === 0) return 0
    if (word.length < SHORT && countTexts() < FEW_WORDS) return 0
    correctionsLeft--
    let best = 0
    let bestWeight = 0
    for (const edit of editsOf(word, letters)) {
      const entry = vocabulary.find(edit)
      if (entry <= vocabulary.lastStop || entry === best) continue
      const weight = weigh(entry, edit[0] === word[0], bestWeight)
      const isTie = weight === bestWeight && weight > 0
      if (weight > bestWeight || (isTie && edit < vocabulary.text(best))) {
        best = entry
        bestWeight = weight
      }
    }
    return best
  }

  /** Returns the weight of a correction, or 0 if it is not plausible or cannot exceed `least`. */
  function weigh(entry: number, sameFirst: boolean, least: number): number {
    const df = wordDf(entry)
    const factor = sameFirst ? FIRST_LETTER_BONUS : 1
    // Skip the slow count if even the maximum could not win.
    if (df === 0 || df * (1 + META_BONUS) * factor <= least || countsLeft === 0) return 0
    countsLeft--
    const meta = countHeads(entry)
    if (df <= MIN_DOCUMENTS && meta === 0) return 0
    return (df + META_BONUS * meta) * factor
  }
}

/** Returns the alphabet of a correctable word, or an empty string. */
function lettersOf(word: string): string {
  if (LATIN.test(word)) return 'abcdefghijklmnopqrstuvwxyz'
  return CYRILLIC.test(word) ? 'абвгдежзиклмнопрстуфхцчшщъыьэюя' : ''
}

/** Yields deletions, transpositions, replacements and insertions at every position. */
function* editsOf(word: string, letters: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)]
    if (at < word.length) yield before + after
    if (after !== '') yield `${before}${after[0]}${word[at]}${after.slice(1)}`
    for (const letter of letters) {
      if (at < word.length) yield before + letter + after
      yield before + letter + word.slice(at)
    }
  }
}
