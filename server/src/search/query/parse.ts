import { createCompounds } from '../lexicon/compounds.ts'
import { type CorpusStatistics, flatIdf, idf, K1 } from '../lexicon/corpus-statistics.ts'
import { createSpellingCorrector } from '../lexicon/spelling.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import { readEmphasis } from '../text/emphasis.ts'
import { stemOf as stemText } from '../text/stem.ts'
import { camelParts, tokensOf, type Word, wordsOf } from '../text/words.ts'

/** Maximum number of query terms that are scored. `tokenWeights` lists all of them. */
export const MAX_QUERY_TERMS = 256

/** Longer words that the last word of an unfinished search may become. */
const MAX_COMPLETIONS = 256

/**
 * Share of the exact word in the word evidence. The rest is for its stem. Using either alone loses
 * .006.
 */
const EXACT_SHARE = 0.4

/** A form of a stem that occurs in the task. */
interface WordForm {
  /** Word number, or 0 if unknown. */
  word: number
  idf: number
  /** Spelling in the task, in lower case. */
  surface: string
}

/** A query term: a stem and its forms in the task. */
export interface Term {
  /** Index among the query's terms. */
  place: number
  /** Stem number, or 0 if the vocabulary lacks it. */
  stem: number
  stemIdf: number
  words: WordForm[]
  stemWords: number[]
  /** Stems of compounds with this term as a part, which count as an occurrence. */
  compounds: number[]
  filler: boolean
  /**
   * Share of the stem in the evidence. The rest is for the exact words. 1 for acronyms, whose
   * plural means the same.
   */
  stemShare: number
  /** Emphasis in the task, from 0 to 1 (emphasis.ts). All weights include it. */
  emphasis: number
  /** Maximum evidence of this term. */
  bound: number
}

interface TermPair {
  a: number
  b: number
  weight: number
}

export interface Query {
  /** In descending order of bound, at most `MAX_QUERY_TERMS`. */
  terms: Term[]
  /** Pairs of indexes into `terms`. The weight includes distance, IDF and emphasis. */
  pairs: TermPair[]
  /** Maximum word evidence of a document. */
  bound: number
  /** Sum of the stems' IDF. */
  idf: number
  /** Weights of the task's words as written, in lower case, including terms beyond the limit. */
  weights: Record<string, number>
}

interface Heads {
  countHeads(word: number): number
  headsWith(words: readonly number[]): ReadonlySet<number>
}

/** Creates a parser from text to weighted terms and pairs. */
export function createQueryParser(
  vocabulary: Vocabulary,
  statistics: CorpusStatistics,
  /** Counts and returns the skills with the words in name, slug or description. */
  { countHeads, headsWith }: Heads,
  countSkills: () => number,
) {
  const { wordDf, stemDf, pairDf } = statistics
  const typos = createSpellingCorrector(vocabulary, statistics, countHeads)
  const compounds = createCompounds(vocabulary, statistics, headsWith)
  return {
    readTask: (task: string) => read(task, readEmphasis(task)),
    /**
     * Parses a search, where all words count the same. Adds the parts of camelCase words that no
     * head contains. If `isTyping`, the last word may be unfinished.
     */
    readWords(words: string, isTyping = false): Query {
      const query = read(words, undefined)
      if (isTyping) addCompletions(query, words)
      return query
    },
  }

  /**
   * Adds a term of the words that the last word may become. It counts next to nothing if that is a
   * word itself, so that exact matches come first.
   */
  function addCompletions({ terms }: Query, text: string): void {
    const last = wordsOf(tokensOf(text).at(-1) ?? '').at(-1)?.word ?? ''
    if (last.length < 2) return
    const isKnown = wordDf(vocabulary.find(last)) !== 0
    const stemIdf = isKnown ? Number.EPSILON : flatIdf(countSkills(), 0)
    const stemWords = vocabulary.startingWith(last, MAX_COMPLETIONS, wordDf)
    const term = { stem: 0, stemIdf, stemShare: 1, emphasis: 1, bound: 0, filler: false }
    terms.push({ ...term, place: terms.length, words: [], stemWords, compounds: [] })
  }

  function read(text: string, emphasis: Float32Array | undefined): Query {
    const size = countSkills()
    const reading = termsOf(text, emphasis, size, false)
    // If there are only stop words, use them as terms.
    const { terms, content } =
      reading.terms.length > 0 ? reading : termsOf(text, emphasis, size, true)
    for (const term of terms) applyEmphasis(term)
    terms.sort((a, b) => b.bound - a.bound || (surfaceOf(a) < surfaceOf(b) ? -1 : 1))
    // A null prototype, because a task can contain "__proto__".
    const weights: Record<string, number> = Object.create(null)
    terms.forEach((term, place) => {
      term.place = place
      for (const { surface, idf } of term.words) weights[surface] = (weights[surface] ?? 0) + idf
    })
    terms.length = Math.min(terms.length, MAX_QUERY_TERMS)
    for (const term of terms) {
      term.stemWords = [term.stem, ...term.compounds].flatMap(vocabulary.wordsOf)
    }
    return {
      terms,
      pairs: pairsOf(terms.length, content, size),
      bound: terms.reduce((sum, term) => sum + term.bound, 0),
      idf: terms.reduce((sum, { stemIdf }) => sum + stemIdf, 0),
      weights,
    }
  }

  /** Returns the terms of a text, and the term of each content word, in order. */
  function termsOf(
    text: string,
    emphasis: Float32Array | undefined,
    size: number,
    stopWords: boolean,
  ) {
    const { stems, lastStop, lastFiller } = vocabulary
    const terms: Term[] = []
    const content: Term[] = []
    /** Terms by stem, or by word if the stem is unknown. */
    const termOf = new Map<number | string, Term>()
    /** The word before, and its term unless it is a stop word. */
    let before: { word: string; term?: Term | undefined } = { word: '' }
    let at = 0
    typos.begin()
    for (const token of tokensOf(text)) {
      at = text.indexOf(token, at)
      const words = wordsOf(token)
      // The parts of a camelCase word are names in code.
      const isPlain = camelParts(token).length === 0
      const isHyphened = text[at - 1] === '-'
      for (const word of words) addWord(word, emphasis?.[at] ?? 1, isPlain, isHyphened)
      // Resolve does not improve with parts.
      const parts = emphasis === undefined ? camelParts(token) : []
      if (parts.length > 0 && !words.some(({ word }) => countHeads(vocabulary.find(word)) > 0)) {
        for (const part of parts) addWord({ word: part, written: part }, 1, false, false)
      }
      at += token.length
    }
    return { terms, content }

    /** Adds a word, or both words of a compound. */
    function addWord(
      { word, written }: Word,
      weight: number,
      isPlain: boolean,
      isHyphened: boolean,
    ): void {
      const parts = isPlain ? compounds.split(word, size) : [word]
      const added = parts.map((part) => add(part, written, weight))
      if (added.length > 1) addCompound(compounds.stemOf(word), added)
      const compound = compounds.join(before.word, word, isHyphened)
      // Neither "to-do" nor "re-use" has a word that counts.
      if (compound !== 0 && !before.term && (added[0]?.filler ?? true))
        add(before.word + word, written, weight)
      addCompound(compound, [before.term, added[0]])
      before = { word, term: added.at(-1) }
    }

    /** Counts the stem of a compound as an occurrence of its parts. */
    function addCompound(stem: number, parts: readonly (Term | undefined)[]): void {
      if (stem === 0) return
      for (const term of parts) {
        if (term && term.stem !== stem && !term.compounds.includes(stem)) term.compounds.push(stem)
      }
    }

    function add(key: string, surface: string, weight: number): Term | undefined {
      let word = vocabulary.find(key)
      if (word !== 0 && word <= lastStop && !stopWords) return undefined
      if (word === 0 || (word > lastStop && wordDf(word) === 0)) {
        const stem = vocabulary.find(stemText(key))
        word = stemDf(stem) > 0 ? mostFrequentWord(stem) : typos.find(key)
      }
      const stem = stems[word] as number
      let term = termOf.get(stem || key)
      if (term === undefined) {
        const filler = word !== 0 && word <= lastFiller
        const isAcronym = word !== 0 && ACRONYM.test(stemText(vocabulary.text(word)))
        const stemShare = isAcronym ? 1 : 1 - EXACT_SHARE
        const stemIdf = flatIdf(size, stemDf(stem))
        const weights = { stemIdf, stemShare, emphasis: 0, bound: 0 }
        term = { place: 0, stem, words: [], stemWords: [], compounds: [], filler, ...weights }
        termOf.set(stem || key, term)
        terms.push(term)
      }
      term.emphasis = Math.max(term.emphasis, weight)
      if (!term.words.some((form) => form.surface === surface)) {
        const df = term.stemShare === 1 ? stemDf(stem) : wordDf(word)
        term.words.push({ word, idf: flatIdf(size, df), surface })
      }
      if (!term.filler) content.push(term)
      return term
    }
  }

  /**
   * Returns the most frequent word of a stem, in place of a form that no skill contains. Ties are
   * resolved by text, independent of the order of publication.
   */
  function mostFrequentWord(stem: number): number {
    const { text } = vocabulary
    const more = (a: number, b: number) => wordDf(a) - wordDf(b) || (text(a) < text(b) ? 1 : -1)
    return vocabulary.wordsOf(stem).reduce((best, word) => (more(word, best) > 0 ? word : best))
  }

  /**
   * Returns pairs of content stems at distance 1 (weight 1) and 2 (weight ½), each pair once at its
   * smallest distance.
   */
  function pairsOf(terms: number, content: readonly Term[], size: number): TermPair[] {
    const found = new Map<number, TermPair>()
    for (let distance = 1; distance <= 2; distance++) {
      for (let i = distance; i < content.length; i++) {
        const first = content[i - distance] as Term
        const second = content[i] as Term
        if (first === second || first.stem === 0 || second.stem === 0) continue
        const a = Math.min(first.place, second.place)
        const b = Math.max(first.place, second.place)
        // Skip terms beyond the limit.
        if (b >= terms) continue
        const key = a * terms + b
        if (found.has(key)) continue
        const df = pairDf(first.stem, second.stem)
        if (df === 0) continue
        const emphasis = Math.sqrt(first.emphasis * second.emphasis)
        const weight = (emphasis * idf(size, Math.min(df, size))) / distance
        found.set(key, { a, b, weight })
      }
    }
    return [...found.values()]
  }
}

/** Applies emphasis to a term's weights and computes its bound. */
function applyEmphasis(term: Term): void {
  const { words, stemShare, emphasis } = term
  term.stemIdf *= emphasis
  for (const form of words) form.idf *= emphasis
  // Forms of one word have the same IDF. All unknown forms count as one word.
  const idfs = new Map(words.map(({ word, idf }) => [word, idf]))
  const exact = [...idfs.values()].reduce((sum, idf) => sum + idf, 0)
  term.bound = (K1 + 1) * ((1 - stemShare) * exact + stemShare * term.stemIdf)
}

/**
 * Stems that look like acronyms ("ui", "api", "gpu", "mp3", "html"), and a few short words such as
 * "add".
 */
const ACRONYM = /^(?:..|[aeiou]..|..[aeiou]|[^aeiouy]{3,5})$/

const surfaceOf = ({ words }: Term): string => words[0]?.surface ?? ''
