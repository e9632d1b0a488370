import type { Query, Term, TermPair, WordForm } from '../query/parse.ts'
import type { ResolveOptions } from '../query/rank.ts'
import { type Background, type RankedHit, type Ranking, withBackgrounds } from '../query/ranked.ts'
import { byScore, nearEqual } from '../query/ties.ts'

/**
 * The codec of messages between threads: a task and its ranking as rows of numbers, for copying objects
 * takes longer. Rows are read in the order they were written.
 */

/** What a ranking depends on besides the order of equals. */
type TaskFeatures = Pick<ResolveOptions, 'limit' | 'threshold'>

/** A query without what its words look like, which no ranking depends on. */
export function writeTask(
  { terms, pairs, bound, idf }: Query,
  { limit, threshold }: TaskFeatures,
): Float64Array {
  const row = [limit, threshold, bound, idf, terms.length]
  for (const { group, stemIdf, stemShare, words, stemWords, filler, emphasis, bound } of terms) {
    row.push(group, stemIdf, stemShare, filler ? 1 : 0, emphasis, bound, words.length)
    for (const { word, idf } of words) row.push(word, idf)
    writeRow(row, stemWords)
  }
  row.push(pairs.length)
  for (const { a, b, weight } of pairs) row.push(a, b, weight)
  return new Float64Array(row)
}

export function readTask(row: Float64Array): { query: Query; options: TaskFeatures } {
  const next = reader(row)
  const options = { limit: next(), threshold: next() }
  const [bound, idf] = [next(), next()]
  const terms: Term[] = []
  for (let left = next(); left > 0; left--) terms.push(readTerm(next, terms.length))
  const pairs: TermPair[] = []
  for (let left = next(); left > 0; left--) pairs.push({ a: next(), b: next(), weight: next() })
  return { query: { terms, pairs, bound, idf, weights: {} }, options }
}

function readTerm(next: () => number, place: number): Term {
  const [group, stemIdf, stemShare, filler] = [next(), next(), next(), next() === 1]
  const [emphasis, bound] = [next(), next()]
  const words: WordForm[] = []
  for (let left = next(); left > 0; left--) words.push({ word: next(), idf: next(), surface: '' })
  const stemWords = readRow(next)
  return { place, group, stemIdf, stemShare, words, stemWords, filler, emphasis, bound }
}

/** A ranking with the backgrounds of those that trust can bring among the first `limit`. */
export function writeRanked(
  { standing, matching, hangsOnOrder, backgroundOf }: Ranking,
  limit: number,
): Float64Array {
  const row = [matching, hangsOnOrder ? 1 : 0, standing.length]
  for (const { slot, score, confidence } of standing) row.push(slot, score, confidence)
  const shown = limit < standing.length ? nearEqual(standing, limit - 1) : standing.length
  row.push(shown)
  for (const { slot } of standing.slice(0, shown)) {
    const { sections, headIdf } = backgroundOf(slot)
    row.push(slot, headIdf)
    writeRow(row, sections)
  }
  return new Float64Array(row)
}

/**
 * What `writeRanked` wrote of a query, equals in order. `again` ranks it in this thread, for hits that
 * only votes or trust bring up.
 */
export function readRanked(
  row: Float64Array,
  query: Query,
  { order }: ResolveOptions,
  again: () => Ranking,
): Ranking {
  const next = reader(row)
  const [matching, hangsOnOrder] = [next(), next() === 1]
  const before = byScore(order)
  const standing = readHits(next).sort(before)
  const backgrounds = new Map<number, Background>()
  for (let left = next(); left > 0; left--) {
    const [slot, headIdf] = [next(), next()]
    backgrounds.set(slot, { sections: new Uint16Array(readRow(next)), headIdf })
  }
  return {
    query,
    standing,
    matching,
    hangsOnOrder,
    ...withBackgrounds(backgrounds, (slot) => again().backgroundOf(slot)),
  }
}

function readHits(next: () => number): RankedHit[] {
  const hits: RankedHit[] = []
  for (let left = next(); left > 0; left--) {
    hits.push({ slot: next(), score: next(), confidence: next() })
  }
  return hits
}

/** Numbers after how many they are. */
function readRow(next: () => number): number[] {
  const numbers: number[] = []
  for (let left = next(); left > 0; left--) numbers.push(next())
  return numbers
}

function writeRow(row: number[], numbers: ArrayLike<number>): void {
  row.push(numbers.length)
  for (let i = 0; i < numbers.length; i++) row.push(numbers[i] as number)
}

function reader(row: Float64Array): () => number {
  let at = 0
  return () => row[at++] as number
}
