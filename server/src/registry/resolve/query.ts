import { EXACT_SHARE, IDF_POWER, IDF_PRIOR_SKILLS, K1, MOST_TERMS } from './constants.ts'
import { readEmphasis } from './emphasis.ts'
import type { PairCounts } from './pairs.ts'
import { createScanner } from './tokens.ts'
import type { TypoFinder } from './typo.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A stem that the task asks for, with every form of it that the task uses. */
export interface Term {
  /** Vocabulary group, 0 when no skill ever held it. */
  group: number
  stemIdf: number
  /** The forms used in the task: vocabulary word (0 when unknown), IDF and how the user wrote it. */
  words: { word: number; idf: number; surface: string }[]
  filler: boolean
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

interface Token {
  word: number
  /** How it was written, in lower case. */
  surface: string
  key: string
  emphasis: number
}

export interface QueryParser {
  /** A task, whose request counts more than what it tells and quotes. */
  readTask(task: string): Query
  /** Words to look for, which all count the same. */
  readWords(words: string): Query
}

/** ln(1 + (N - df + ½)/(df + ½)): what a word that `df` of `size` skills hold tells. */
export function idf(size: number, df: number): number {
  return Math.log(1 + Math.max(0, size + IDF_PRIOR_SKILLS - df + 0.5) / (df + 0.5))
}

/** Reads a task into weighted terms and pairs. */
export function createQueryParser(
  vocabulary: Vocabulary,
  pairs: PairCounts,
  typos: TypoFinder,
  live: () => number,
): QueryParser {
  const scanner = createScanner()
  return {
    readTask: (task) => read(task, readEmphasis(task)),
    readWords: (words) => read(words, undefined),
  }

  function read(text: string, emphasis: Float32Array | undefined): Query {
    const tokens = tokenise(text, emphasis)
    const meaningful = tokens.filter(({ word }) => word === 0 || word > vocabulary.lastStop)
    // a task of stop words alone is taken at its word
    return weigh(meaningful.length > 0 ? meaningful : tokens)
  }

  function tokenise(text: string, emphasis: Float32Array | undefined): Token[] {
    const tokens: Token[] = []
    typos.begin()
    const scan = (start: number, end: number) => {
      // a place in bytes is a place in characters only as long as each takes one
      const surface = isPlain ? text.slice(start, end).toLowerCase() : scanner.written(start, end)
      let word = vocabulary.find(scanner)
      let key = word === 0 ? scannedText() : ''
      const known =
        word !== 0 && (word <= vocabulary.lastStop || (vocabulary.wordDf[word] as number) > 0)
      if (!known) {
        if (key === '') key = scannedText()
        const group = vocabulary.findGroup(key)
        if (group === 0 || vocabulary.groupDf[group] === 0) word = typos.find(key) || word
      }
      tokens.push({ word, surface, key, emphasis: emphasis?.[start] ?? 1 })
    }
    const isPlain = Buffer.byteLength(text) === text.length
    scanner.scan(text, false, scan)
    return tokens
  }

  function scannedText(): string {
    return decoder.decode(scanner.bytes.subarray(0, scanner.length))
  }

  function weigh(tokens: readonly Token[]): Query {
    const size = live()
    const terms: Term[] = []
    const termOf = new Map<string | number, Term>()
    const content: Term[] = []
    for (const { word, surface, key, emphasis } of tokens) {
      const group = word !== 0 ? (vocabulary.group[word] as number) : vocabulary.findGroup(key)
      const identity = group !== 0 ? group : key
      let term = termOf.get(identity)
      if (term === undefined) {
        const df = group === 0 ? 0 : (vocabulary.groupDf[group] as number)
        const filler = word !== 0 && word <= vocabulary.lastFiller
        const stemIdf = idf(size, df) ** IDF_POWER
        term = { group, stemIdf, words: [], filler, emphasis, bound: 0 }
        termOf.set(identity, term)
        terms.push(term)
      }
      term.emphasis = Math.max(term.emphasis, emphasis)
      if (!term.words.some((other) => other.surface === surface)) {
        const df = word === 0 ? 0 : (vocabulary.wordDf[word] as number)
        term.words.push({ word, idf: idf(size, df) ** IDF_POWER, surface })
      }
      if (!term.filler) content.push(term)
    }
    for (const term of terms) {
      const seen = new Set<number>()
      let exact = 0
      term.stemIdf *= term.emphasis
      for (const form of term.words) {
        form.idf *= term.emphasis
        if (form.word !== 0 && seen.has(form.word)) continue
        seen.add(form.word)
        exact += form.idf
      }
      term.bound = (K1 + 1) * (EXACT_SHARE * exact + (1 - EXACT_SHARE) * term.stemIdf)
    }
    terms.sort((a, b) => b.bound - a.bound || (surfaceOf(a) < surfaceOf(b) ? -1 : 1))
    const weights = terms.flatMap(({ words }) => words.map(({ surface, idf }) => [surface, idf]))
    terms.length = Math.min(terms.length, MOST_TERMS)
    return {
      terms,
      pairs: pairUp(terms, content, size),
      bound: terms.reduce((sum, term) => sum + term.bound, 0),
      idf: terms.reduce((sum, { stemIdf }) => sum + stemIdf, 0),
      // not by assignment: a task may hold the word "__proto__"
      weights: Object.fromEntries(weights),
    }
  }

  /** Content stems at distance 1 (weight 1) and 2 (weight ½), each pair once at its best. */
  function pairUp(terms: readonly Term[], content: readonly Term[], size: number): TermPair[] {
    const indexOf = new Map(terms.map((term, index) => [term, index]))
    const found = new Map<number, TermPair>()
    for (let distance = 1; distance <= 2; distance++) {
      for (let i = distance; i < content.length; i++) {
        const first = content[i - distance] as Term
        const second = content[i] as Term
        if (first === second || first.group === 0 || second.group === 0) continue
        const one = indexOf.get(first)
        const other = indexOf.get(second)
        if (one === undefined || other === undefined) continue
        const a = Math.min(one, other)
        const b = Math.max(one, other)
        const key = a * terms.length + b
        if (found.has(key)) continue
        const slot = pairs.slot(first.group, second.group)
        const df = pairs.count(slot)
        if (df === 0) continue
        const emphasis = Math.sqrt(first.emphasis * second.emphasis)
        const weight = (emphasis * idf(size, Math.min(df, size))) / distance
        found.set(key, { a, b, weight })
      }
    }
    return [...found.values()]
  }
}

const decoder = new TextDecoder()

function surfaceOf(term: Term): string {
  return term.words[0]?.surface ?? ''
}
