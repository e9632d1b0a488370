import { EXACT_SHARE, K1, MOST_TERMS } from '../constants/constants.ts'
import { type BigramFrequencies, pairSlot } from '../lexicon/bigram-frequencies.ts'
import { flatIdf, idf } from '../lexicon/idf.ts'
import type { SpellingCorrector } from '../lexicon/spelling.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import { readEmphasis } from '../text/emphasis.ts'
import { stemOf as stemText } from '../text/stem.ts'
import { camelParts, tokensOf, wordsOf } from '../text/words.ts'

/** A form of a stem that the task uses. */
export interface WordForm {
  /** The vocabulary's word, 0 when unknown. */
  word: number
  idf: number
  /** How it was written, in lower case. */
  surface: string
}

/** A stem that the task asks for, with every form of it that the task uses. */
export interface Term {
  /** Its place among the query's terms. */
  place: number
  /** Its number in the vocabulary, 0 when no skill ever held it. */
  stem: number
  stemIdf: number
  words: WordForm[]
  /** All words of the stem. */
  stemWords: number[]
  filler: boolean
  /**
   * Share of the evidence that any word of the stem gives; the rest is for the words as written. All for an
   * acronym: of "api" and "apis" neither tells more than the other.
   */
  stemShare: number
  /** How much the task stresses it, from 0 to 1; part of every weight (emphasis.ts). */
  emphasis: number
  /** The most any document can gain from this term. */
  bound: number
}

export interface TermPair {
  a: number
  b: number
  weight: number
}

export interface Query {
  /** In falling order of bound, at most `MOST_TERMS`. */
  terms: Term[]
  /** Indexes into `terms`, with distance and rarity in the weight. */
  pairs: TermPair[]
  /** The most any document could score from words. */
  bound: number
  /** IDF of all stems together. */
  idf: number
  /** Weight of each word of the task as written, in lower case, those that do not count included. */
  weights: Record<string, number>
}

/** The terms of a text, and which of them its words that are no fillers stand for, word by word. */
interface Reading {
  terms: Term[]
  content: Term[]
}

/** Reads a task into weighted terms and pairs. */
export function createQueryParser(
  vocabulary: Vocabulary,
  pairs: BigramFrequencies,
  typos: SpellingCorrector,
  /** How many skills have a word in name, slug or description. */
  countHeads: (word: number) => number,
  live: () => number,
) {
  return {
    /** A task, whose request counts more than what it tells and quotes. */
    readTask: (task: string) => read(task, readEmphasis(task)),
    /** Words to look for, which all count the same; of camelCase words that no head has, the parts too. */
    readWords: (words: string) => read(words, undefined),
  }

  function read(text: string, emphasis: Float32Array | undefined): Query {
    const size = live()
    const reading = termsOf(text, emphasis, size, false)
    // a task of stop words alone is taken at its word
    const { terms, content } =
      reading.terms.length > 0 ? reading : termsOf(text, emphasis, size, true)
    for (const term of terms) weigh(term)
    terms.sort((a, b) => b.bound - a.bound || (surfaceOf(a) < surfaceOf(b) ? -1 : 1))
    // a task may hold the word "__proto__"
    const weights: Record<string, number> = Object.create(null)
    let place = 0
    for (const term of terms) {
      term.place = place++
      for (const { surface, idf } of term.words) weights[surface] = idf
    }
    terms.length = Math.min(terms.length, MOST_TERMS)
    for (const term of terms) term.stemWords = vocabulary.wordsOf(term.stem)
    return {
      terms,
      pairs: pairUp(terms.length, content, size),
      bound: terms.reduce((sum, term) => sum + term.bound, 0),
      idf: terms.reduce((sum, { stemIdf }) => sum + stemIdf, 0),
      weights,
    }
  }

  function termsOf(
    text: string,
    emphasis: Float32Array | undefined,
    size: number,
    stopWords: boolean,
  ): Reading {
    const { stems, wordDf, stemDf, lastStop, lastFiller } = vocabulary
    const reading: Reading = { terms: [], content: [] }
    const known = new Map<number, Term>()
    const unknown = new Map<string, Term>()
    let at = 0
    typos.begin()
    for (const token of tokensOf(text)) {
      at = text.indexOf(token, at)
      const words = wordsOf(token)
      for (const { word, written } of words) add(word, written, emphasis?.[at] ?? 1)
      // no task of dev is served better by parts
      const parts = emphasis === undefined ? camelParts(token) : []
      if (parts.length > 0 && !words.some(({ word }) => countHeads(vocabulary.find(word)) > 0)) {
        for (const part of parts) add(part, part, 1)
      }
      at += token.length
    }
    return reading

    function add(key: string, surface: string, weight: number): void {
      let word = vocabulary.find(key)
      if (word !== 0 && word <= lastStop && !stopWords) return
      let stem = stems[word] as number
      if (word === 0 || (word > lastStop && wordDf[word] === 0)) {
        const found = vocabulary.find(stemText(key))
        // a word may read like the stem of another and be the stem of none
        const own = vocabulary.wordsOf(found).length > 0 ? found : 0
        const meant = own === 0 || stemDf[own] === 0 ? typos.find(key) : 0
        if (meant !== 0) word = meant
        else if (own !== 0) word = commonestOf(own)
        stem = word === 0 ? own : (stems[word] as number)
      }
      let term = stem === 0 ? unknown.get(key) : known.get(stem)
      if (term === undefined) {
        const filler = word !== 0 && word <= lastFiller
        const isAcronym = word !== 0 && ACRONYM.test(stemText(vocabulary.text(word)))
        const stemShare = isAcronym ? 1 : 1 - EXACT_SHARE
        const stemIdf = flatIdf(size, stemDf[stem] as number)
        const weights = { stemIdf, stemShare, emphasis: 0, bound: 0 }
        term = { place: 0, stem, words: [], stemWords: [], filler, ...weights }
        if (stem === 0) unknown.set(key, term)
        else known.set(stem, term)
        reading.terms.push(term)
      }
      term.emphasis = Math.max(term.emphasis, weight)
      if (!term.words.some((form) => form.surface === surface)) {
        const df = (term.stemShare === 1 ? stemDf[stem] : wordDf[word]) as number
        term.words.push({ word, idf: flatIdf(size, df), surface })
      }
      if (!term.filler) reading.content.push(term)
    }
  }

  /**
   * The word of a stem that most skills have, which stands for a form that none has: that form tells no
   * skill from another. The same whatever order the words came in.
   */
  function commonestOf(stem: number): number {
    const { wordDf, text } = vocabulary
    const more = (a: number, b: number) =>
      (wordDf[a] as number) - (wordDf[b] as number) || (text(a) < text(b) ? 1 : -1)
    return vocabulary.wordsOf(stem).reduce((best, word) => (more(word, best) > 0 ? word : best))
  }

  /** Content stems at distance 1 (weight 1) and 2 (weight ½), each pair once at its best. */
  function pairUp(terms: number, content: readonly Term[], size: number): TermPair[] {
    const { stemDf, hashes } = vocabulary
    const found = new Map<number, TermPair>()
    for (let distance = 1; distance <= 2; distance++) {
      for (let i = distance; i < content.length; i++) {
        const first = content[i - distance] as Term
        const second = content[i] as Term
        if (first === second || first.stem === 0 || second.stem === 0) continue
        const a = Math.min(first.place, second.place)
        const b = Math.max(first.place, second.place)
        // the lightest of many terms do not count
        if (b >= terms) continue
        const key = a * terms + b
        if (found.has(key)) continue
        // no more than either has
        const counted = pairs.estimate(
          pairSlot(hashes[first.stem] as number, hashes[second.stem] as number),
        )
        const df = Math.min(counted, stemDf[first.stem] as number, stemDf[second.stem] as number)
        if (df === 0) continue
        const emphasis = Math.sqrt(first.emphasis * second.emphasis)
        const weight = (emphasis * idf(size, Math.min(df, size))) / distance
        found.set(key, { a, b, weight })
      }
    }
    return [...found.values()]
  }
}

/** Puts a term's emphasis into its weights, and says what it can give at most. */
function weigh(term: Term): void {
  const { words, stemShare, emphasis } = term
  term.stemIdf *= emphasis
  let exact = 0
  for (let i = 0; i < words.length; i++) {
    const form = words[i] as WordForm
    form.idf *= emphasis
    if (isFirst(words, i)) exact += form.idf
  }
  term.bound = (K1 + 1) * ((1 - stemShare) * exact + stemShare * term.stemIdf)
}

/**
 * Whether no form before this one is the same word: a task may write one in two ways. What the vocabulary
 * does not have counts as one word.
 */
function isFirst(words: readonly WordForm[], at: number): boolean {
  for (let i = 0; i < at; i++) if (words[i]?.word === words[at]?.word) return false
  return true
}

/** Stems of acronyms, as of "ui", "api", "gpu", "mp3" and "html", and of a few short words such as "add". */
const ACRONYM = /^(?:..|[aeiou]..|..[aeiou]|[^aeiouy]{3,5})$/

function surfaceOf(term: Term): string {
  return term.words[0]?.surface ?? ''
}
