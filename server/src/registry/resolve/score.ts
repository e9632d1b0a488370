import { EXACT_SHARE, K1 } from './constants.ts'
import type { Documents } from './documents.ts'
import { grown } from './growth.ts'
import { ALIVE, type Lengths, STRIDE } from './lengths.ts'
import { PAYLOAD_BITS, PAYLOAD_MASK, weightedFrequency } from './payload.ts'
import type { Postings } from './postings.ts'
import type { Query, Term } from './query.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The best documents by words alone, best first. */
export interface WordScores {
  documents: Uint32Array
  scores: Float64Array
  count: number
  /** Live documents that match any term; known only after an exhaustive run. */
  matching: number
}

export interface WordScorer {
  /**
   * The `wanted` best by BM25F. Unless `exhaustive`, terms that can no longer bring a new document
   * into the best are only looked up for the documents already there; the outcome is the same.
   */
  best(query: Query, wanted: number, exhaustive: boolean): WordScores
}

const BUCKETS = 512

export function createWordScorer(
  vocabulary: Vocabulary,
  postings: Postings,
  documents: Documents,
  lengths: Lengths,
): WordScorer {
  /** Sum so far per document, zero between queries. */
  let sums = new Float64Array(64)
  /** Weighted frequency of the current stem per document, zero between stems. */
  let stemX = new Float64Array(64)
  let touched = new Uint32Array(64)
  let touchedCount = 0
  let stemTouched = new Uint32Array(64)
  const buckets = new Uint32Array(BUCKETS)
  const { norms } = lengths
  const exactWords: number[] = []
  const exactWeights: number[] = []
  return { best }

  function best(query: Query, wanted: number, exhaustive: boolean): WordScores {
    lengths.refresh()
    sums = grown(sums, documents.next, Float64Array)
    stemX = grown(stemX, documents.next, Float64Array)
    touched = grown(touched, documents.next, Uint32Array)
    stemTouched = grown(stemTouched, documents.next, Uint32Array)
    touchedCount = 0
    let remaining = query.bound
    let candidates = -1
    for (const term of query.terms) {
      if (term.group !== 0) {
        if (!exhaustive && candidates < 0) candidates = prune(term, remaining, wanted)
        if (candidates < 0) accumulate(term)
        else {
          if (candidates > wanted * 4) candidates = narrow(candidates, remaining, wanted)
          look(term, candidates)
        }
      }
      remaining -= term.bound
    }
    const result = select(candidates < 0 ? touchedCount : candidates, wanted)
    if (exhaustive) {
      for (let i = 0; i < touchedCount; i++) result.matching += alive(touched[i] as number)
    }
    for (let i = 0; i < touchedCount; i++) sums[touched[i] as number] = 0
    return result
  }

  /** The term's postings, over all forms: below this it is cheaper to read than to think. */
  function work(term: Term): number {
    let postingsToRead = 0
    for (let word = vocabulary.firstWord[term.group] as number; word !== 0; ) {
      postingsToRead += postings.size(word)
      word = vocabulary.nextWord[word] as number
    }
    return postingsToRead
  }

  /**
   * When `wanted` documents already have more than all remaining terms together can give, only
   * documents that can still catch up stay candidates. They move to the front of `touched`; the
   * rest stays behind them so that its sums can be cleared. -1: not yet.
   */
  function prune(term: Term, remaining: number, wanted: number): number {
    if (touchedCount < wanted || work(term) < touchedCount >>> 2) return -1
    const floor = lowerBoundOfRank(touchedCount, wanted, remaining)
    return floor < 0 ? -1 : partition(touchedCount, floor - remaining)
  }

  function narrow(count: number, remaining: number, wanted: number): number {
    const floor = lowerBoundOfRank(count, wanted, 0)
    return floor < 0 ? count : partition(count, floor - remaining)
  }

  function partition(count: number, least: number): number {
    let kept = 0
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      if ((sums[document] as number) < least || alive(document) === 0) continue
      touched[i] = touched[kept] as number
      touched[kept++] = document
    }
    return kept
  }

  /** A sum that at least `rank` live documents reach; -1 when it would not be above `above`. */
  function lowerBoundOfRank(count: number, rank: number, above: number): number {
    let highest = 0
    for (let i = 0; i < count; i++) {
      const sum = sums[touched[i] as number] as number
      if (sum > highest) highest = sum
    }
    if (highest <= above) return -1
    buckets.fill(0)
    const scale = (BUCKETS - 1) / highest
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      const bucket = ((sums[document] as number) * scale) | 0
      buckets[bucket] = (buckets[bucket] as number) + alive(document)
    }
    let seen = 0
    for (let bucket = BUCKETS - 1; bucket > 0; bucket--) {
      seen += buckets[bucket] as number
      if (seen < rank) continue
      const floor = bucket / scale
      // a hair lower, for the rounding of the scale
      return floor * 0.999999 > above ? floor * 0.999999 : -1
    }
    return -1
  }

  function alive(document: number): number {
    return documents.lengths[document * STRIDE + ALIVE] as number
  }

  /** Notes the forms that the task itself uses. */
  function readForms(term: Term): void {
    exactWords.length = exactWeights.length = 0
    for (const { word, idf } of term.words) {
      if (word === 0 || exactWords.includes(word)) continue
      exactWords.push(word)
      exactWeights.push((K1 + 1) * EXACT_SHARE * idf)
    }
  }

  function exactWeight(word: number): number {
    const at = exactWords.indexOf(word)
    return at < 0 ? 0 : (exactWeights[at] as number)
  }

  /** Adds the term's evidence to every document that holds any form of it. */
  function accumulate(term: Term): void {
    readForms(term)
    const stemWeight = (K1 + 1) * (1 - EXACT_SHARE) * term.stemIdf
    const first = vocabulary.firstWord[term.group] as number
    if (first !== 0 && vocabulary.nextWord[first] === 0) {
      addSingle(first, exactWeight(first) + stemWeight)
      return
    }
    let count = 0
    for (let word = first; word !== 0; word = vocabulary.nextWord[word] as number) {
      count = addForm(word, exactWeight(word), count)
    }
    addStem(count, stemWeight)
  }

  function addSingle(word: number, weight: number): void {
    postings.open(word)
    const { array, start, end } = postings
    const { lengths: codes } = documents
    for (let i = start; i < end; i++) {
      const posting = array[i] as number
      const document = posting >>> PAYLOAD_BITS
      const x = weightedFrequency(posting & PAYLOAD_MASK, norms, codes, document * STRIDE)
      const sum = sums[document] as number
      if (sum === 0) touched[touchedCount++] = document
      sums[document] = sum + (weight * x) / (x + K1)
    }
  }

  function addForm(word: number, weight: number, stemCount: number): number {
    let count = stemCount
    postings.open(word)
    const { array, start, end } = postings
    const { lengths: codes } = documents
    for (let i = start; i < end; i++) {
      const posting = array[i] as number
      const document = posting >>> PAYLOAD_BITS
      const x = weightedFrequency(posting & PAYLOAD_MASK, norms, codes, document * STRIDE)
      const before = stemX[document] as number
      if (before === 0) stemTouched[count++] = document
      stemX[document] = before + x
      if (weight > 0) {
        const sum = sums[document] as number
        if (sum === 0) touched[touchedCount++] = document
        sums[document] = sum + (weight * x) / (x + K1)
      }
    }
    return count
  }

  function addStem(count: number, weight: number): void {
    for (let i = 0; i < count; i++) {
      const document = stemTouched[i] as number
      const x = stemX[document] as number
      stemX[document] = 0
      const sum = sums[document] as number
      if (sum === 0) touched[touchedCount++] = document
      sums[document] = sum + (weight * x) / (x + K1)
    }
  }

  /** The same sums as `accumulate`, in the same order, for the first `count` touched documents. */
  function look(term: Term, count: number): void {
    readForms(term)
    const stemWeight = (K1 + 1) * (1 - EXACT_SHARE) * term.stemIdf
    const first = vocabulary.firstWord[term.group] as number
    const single = first !== 0 && vocabulary.nextWord[first] === 0
    for (let word = first; word !== 0; word = vocabulary.nextWord[word] as number) {
      const exact = exactWeight(word)
      lookForm(word, single ? exact + stemWeight : exact, count, single)
    }
    if (single) return
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      const x = stemX[document] as number
      if (x === 0) continue
      stemX[document] = 0
      sums[document] = (sums[document] as number) + (stemWeight * x) / (x + K1)
    }
  }

  function lookForm(word: number, weight: number, count: number, single: boolean): void {
    postings.open(word)
    const { array, start, end } = postings
    const { lengths: codes } = documents
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      let low = start
      let high = end
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((array[middle] as number) >>> PAYLOAD_BITS < document) low = middle + 1
        else high = middle
      }
      if (low === end) continue
      const posting = array[low] as number
      if (posting >>> PAYLOAD_BITS !== document) continue
      const x = weightedFrequency(posting & PAYLOAD_MASK, norms, codes, document * STRIDE)
      if (!single) stemX[document] = (stemX[document] as number) + x
      if (weight > 0) sums[document] = (sums[document] as number) + (weight * x) / (x + K1)
    }
  }

  /** The `wanted` highest sums among the first `count` touched, ties by id. */
  function select(count: number, wanted: number): WordScores {
    const floor = lowerBoundOfRank(count, wanted, 0)
    const chosen: number[] = []
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      if (alive(document) === 1 && (sums[document] as number) >= floor) chosen.push(document)
    }
    const { ids } = documents
    chosen.sort(
      (a, b) =>
        (sums[b] as number) - (sums[a] as number) ||
        ((ids[a] as string) < (ids[b] as string) ? -1 : 1),
    )
    chosen.length = Math.min(chosen.length, wanted)
    return {
      documents: Uint32Array.from(chosen),
      scores: Float64Array.from(chosen, (document) => sums[document] as number),
      count: chosen.length,
      matching: 0,
    }
  }
}
