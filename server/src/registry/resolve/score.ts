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

/** A form of a term: its exact evidence counts only when the task uses it. */
interface Form {
  word: number
  weight: number
}

const BUCKETS = 1024

/** Looking whether to prune costs a pass: first when half could still come, then a fifth later. */
const PRUNE_FROM = 0.55
const PRUNE_AGAIN = 0.85

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
  /** 1 for the documents that can still come into the best, while only those are looked at. */
  let inRace = new Uint8Array(64)
  const forms: Form[] = []
  /** Postings of the current term, over all its forms. */
  let work = 0
  /** Buckets per unit of sum. */
  let scale = 1
  return { best }

  function best(query: Query, wanted: number, exhaustive: boolean): WordScores {
    lengths.refresh()
    sums = grown(sums, documents.next, Float64Array)
    stemX = grown(stemX, documents.next, Float64Array)
    touched = grown(touched, documents.next, Uint32Array)
    stemTouched = grown(stemTouched, documents.next, Uint32Array)
    inRace = grown(inRace, documents.next, Uint8Array)
    touchedCount = 0
    scale = (BUCKETS - 1) / query.bound
    let remaining = query.bound
    let tryAt = query.bound * PRUNE_FROM
    let candidates = -1
    for (const term of query.terms) {
      if (term.group !== 0) {
        readForms(term)
        if (!exhaustive && candidates < 0 && remaining < tryAt && work > touchedCount >>> 2) {
          candidates = prune(remaining, wanted)
          tryAt = remaining * PRUNE_AGAIN
        }
        if (candidates < 0) accumulate(term)
        else {
          if (candidates > wanted * 2) candidates = partition(candidates, wanted, remaining)
          look(term, candidates)
        }
      }
      remaining -= term.bound
    }
    const result = select(candidates < 0 ? touchedCount : candidates, wanted)
    if (exhaustive) {
      for (let i = 0; i < touchedCount; i++) result.matching += alive(touched[i] as number)
    }
    clear(sums, touched, touchedCount)
    for (let i = 0; i < candidates; i++) inRace[touched[i] as number] = 0
    return result
  }

  /**
   * When `wanted` documents already have more than all remaining terms together can give, only
   * documents that can still catch up stay candidates. They move to the front of `touched`; the
   * rest stays behind them so that its sums can be cleared. -1: not yet.
   */
  function prune(remaining: number, wanted: number): number {
    if (touchedCount < wanted || floorOfRank(touchedCount, wanted) <= remaining) return -1
    for (let i = 0; i < touchedCount; i++) inRace[touched[i] as number] = 1
    const kept = partition(touchedCount, wanted, remaining)
    return kept
  }

  /** Keeps at the front those that can still reach the sum of rank `wanted`. */
  function partition(count: number, wanted: number, remaining: number): number {
    const least = floorOfRank(count, wanted) - remaining
    let kept = 0
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      if ((sums[document] as number) < least || alive(document) === 0) {
        inRace[document] = 0
        continue
      }
      touched[i] = touched[kept] as number
      touched[kept++] = document
    }
    return kept
  }

  /** A sum that at least `rank` live documents reach, or 0. */
  function floorOfRank(count: number, rank: number): number {
    buckets.fill(0)
    fillBuckets(buckets, touched, count, sums, scale, documents.lengths)
    let seen = 0
    for (let bucket = BUCKETS - 1; bucket > 0; bucket--) {
      seen += buckets[bucket] as number
      // a hair lower, for the rounding of the scale
      if (seen >= rank) return (bucket / scale) * 0.999999
    }
    return 0
  }

  function alive(document: number): number {
    return documents.lengths[document * STRIDE + ALIVE] as number
  }

  /** Lists the term's forms, the longest list last, and how much there is to read. */
  function readForms(term: Term): void {
    forms.length = 0
    work = 0
    let longest = -1
    let longestSize = -1
    for (let word = vocabulary.firstWord[term.group] as number; word !== 0; ) {
      const size = postings.size(word)
      if (size > longestSize) {
        longest = forms.length
        longestSize = size
      }
      if (size > 0) forms.push({ word, weight: exactWeight(term, word) })
      work += size
      word = vocabulary.nextWord[word] as number
    }
    const last = forms[longest]
    if (last === undefined) return
    forms.splice(longest, 1)
    forms.push(last)
  }

  /** What the exact word adds, when the task itself uses this form. */
  function exactWeight(term: Term, word: number): number {
    for (const form of term.words) {
      if (form.word === word) return (K1 + 1) * EXACT_SHARE * form.idf
    }
    return 0
  }

  /** Adds the term's evidence to every document that holds any form of it. */
  function accumulate(term: Term): void {
    const stemWeight = (K1 + 1) * (1 - EXACT_SHARE) * term.stemIdf
    let count = 0
    for (let i = 0; i < forms.length - 1; i++) count = addForm(forms[i] as Form, count)
    const last = forms.at(-1)
    if (last !== undefined) addLast(last, stemWeight)
    addRest(count, stemWeight)
  }

  /** Adds exact evidence, and keeps the frequency for the stem's. */
  function addForm({ word, weight }: Form, stemCount: number): number {
    postings.open(word)
    const { array, start, end } = postings
    const { lengths: codes } = documents
    const total = sums
    const x0 = stemX
    const held = stemTouched
    let count = stemCount
    for (let i = start; i < end; i++) {
      const posting = array[i] as number
      const document = posting >>> PAYLOAD_BITS
      const x = weightedFrequency(posting & PAYLOAD_MASK, norms, codes, document * STRIDE)
      // an aside is no evidence; a sum left at zero would be touched twice
      if (x === 0) continue
      const before = x0[document] as number
      if (before === 0) held[count++] = document
      x0[document] = before + x
      if (weight > 0) {
        const sum = total[document] as number
        if (sum === 0) touched[touchedCount++] = document
        total[document] = sum + (weight * x) / (x + K1)
      }
    }
    return count
  }

  /** The stem's longest list: its documents are finished in the same pass. */
  function addLast({ word, weight }: Form, stemWeight: number): void {
    postings.open(word)
    const { array, start, end } = postings
    const { lengths: codes } = documents
    const total = sums
    const x0 = stemX
    const seen = touched
    let count = touchedCount
    for (let i = start; i < end; i++) {
      const posting = array[i] as number
      const document = posting >>> PAYLOAD_BITS
      const x = weightedFrequency(posting & PAYLOAD_MASK, norms, codes, document * STRIDE)
      if (x === 0) continue
      let sum = total[document] as number
      if (sum === 0) seen[count++] = document
      if (weight > 0) sum += (weight * x) / (x + K1)
      const all = x + (x0[document] as number)
      x0[document] = 0
      total[document] = sum + (stemWeight * all) / (all + K1)
    }
    touchedCount = count
  }

  /** The documents that hold the stem, but not in its commonest form. */
  function addRest(count: number, weight: number): void {
    for (let i = 0; i < count; i++) {
      const document = stemTouched[i] as number
      const x = stemX[document] as number
      if (x === 0) continue
      stemX[document] = 0
      const sum = sums[document] as number
      if (sum === 0) touched[touchedCount++] = document
      sums[document] = sum + (weight * x) / (x + K1)
    }
  }

  /** The same sums as `accumulate`, in the same order, for the first `count` touched documents. */
  function look(term: Term, count: number): void {
    const stemWeight = (K1 + 1) * (1 - EXACT_SHARE) * term.stemIdf
    for (const form of forms) {
      postings.open(form.word)
      // a binary search costs as much as reading some 25 postings
      if ((postings.end - postings.start) / 25 > count) searchForm(form, count)
      else scanForm(form)
    }
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      const x = stemX[document] as number
      if (x === 0) continue
      stemX[document] = 0
      sums[document] = (sums[document] as number) + (stemWeight * x) / (x + K1)
    }
  }

  function scanForm({ weight }: Form): void {
    const { array, start, end } = postings
    const race = inRace
    for (let i = start; i < end; i++) {
      const posting = array[i] as number
      if (race[posting >>> PAYLOAD_BITS] === 1) addFound(posting, weight)
    }
  }

  function searchForm({ weight }: Form, count: number): void {
    const { array, start, end } = postings
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
      if (posting >>> PAYLOAD_BITS === document) addFound(posting, weight)
    }
  }

  function addFound(posting: number, weight: number): void {
    const document = posting >>> PAYLOAD_BITS
    const { lengths: codes } = documents
    const x = weightedFrequency(posting & PAYLOAD_MASK, norms, codes, document * STRIDE)
    stemX[document] = (stemX[document] as number) + x
    if (weight > 0) sums[document] = (sums[document] as number) + (weight * x) / (x + K1)
  }

  /** The `wanted` highest sums among the first `count` touched, ties by slot. */
  function select(count: number, wanted: number): WordScores {
    const floor = floorOfRank(count, wanted)
    const chosen: number[] = []
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      if (alive(document) === 1 && (sums[document] as number) >= floor) chosen.push(document)
    }
    const { slots } = documents
    chosen.sort(
      (a, b) =>
        (sums[b] as number) - (sums[a] as number) || (slots[a] as number) - (slots[b] as number),
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

/** The innermost loops stand alone, where V8 keeps their arrays in registers. */
function clear(sums: Float64Array, touched: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) sums[touched[i] as number] = 0
}

function fillBuckets(
  buckets: Uint32Array,
  touched: Uint32Array,
  count: number,
  sums: Float64Array,
  scale: number,
  codes: Uint8Array,
): void {
  for (let i = 0; i < count; i++) {
    const document = touched[i] as number
    const bucket = ((sums[document] as number) * scale) | 0
    const alive = codes[document * STRIDE + ALIVE] as number
    buckets[bucket] = (buckets[bucket] as number) + alive
  }
}
