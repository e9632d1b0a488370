import {
  EXHAUSTIVE_BUDGET,
  POSTINGS_BUDGET,
  POSTINGS_BUDGET_SHARE,
} from '../constants/constants.ts'
import { type Collection, type SegmentState, viewOf } from '../segment/collection.ts'
import { impactValue } from '../segment/impact.ts'
import {
  addList,
  countLevels,
  findList,
  LEVELS,
  type PostingList,
  type PostingLists,
} from '../segment/postings.ts'
import { SEGMENT_DOCUMENTS, type Segment } from '../segment/segment.ts'
import type { Query } from './parse.ts'
import { createTopK } from './top-k.ts'

/** Maximum sum of weights, with room for rounding in 16 bits. */
const SUM_LIMIT = 60_000

/** A term's posting list in one segment. */
interface TermList extends PostingList {
  /** Offset of the term's weights and counts. */
  at: number
}

export type CandidateFinder = ReturnType<typeof createCandidateFinder>

/**
 * Finds the documents with the highest sums of quantized impacts. Impact levels are added in
 * descending order of weight until the postings budget is spent (score-at-a-time, anytime ranking),
 * so time grows more slowly than the catalogue.
 */
export function createCandidateFinder(collection: Collection) {
  const sums = new Uint16Array(SEGMENT_DOCUMENTS)
  const top = createTopK()
  /** Posting lists, segment after segment. The objects are reused between tasks. */
  const lists: TermList[] = []
  let found = 0
  let weights = new Uint16Array(64 * LEVELS)
  /** Postings by term and level that no budget covers yet. */
  let counts = new Uint32Array(64 * LEVELS)
  /**
   * Weights within the budget, and those that only the exhaustive count needs. 0 for the others.
   */
  let budgeted = new Uint16Array(64 * LEVELS)
  let exhaustive = new Uint16Array(64 * LEVELS)
  /** Number of entries in use. */
  let used = 0
  /** Entries with postings, sorted by descending weight. The weight is in the high bits. */
  let order = new Uint32Array(64 * LEVELS)
  return { find }

  /**
   * Returns the best `wanted` documents, plus ties with the last one up to a limit. The estimate is
   * the sum of impacts: approximate word evidence as a share of its maximum. If `counted`,
   * `matchCount` is the number of documents with any query term, within `EXHAUSTIVE_BUDGET`.
   */
  function find(query: Query, wanted: number, counted: boolean) {
    const total = weigh(query)
    top.begin(wanted)
    counts.fill(0, 0, used)
    found = 0
    const ends = collection.parts.map(({ segment }) => findLists(segment, query))
    // Grant the same levels in all segments, so that sums are comparable.
    grant(
      (POSTINGS_BUDGET + POSTINGS_BUDGET_SHARE * collection.size) * documentsPerLiveDocument(),
      budgeted,
    )
    if (counted) grant(EXHAUSTIVE_BUDGET, exhaustive)
    let matchCount = 0
    collection.parts.forEach(({ segment, dead }, number) => {
      const [from, end] = [ends[number - 1] ?? 0, ends[number] as number]
      addLists(segment, from, end, budgeted)
      top.collect(sums.subarray(0, segment.documents), dead, number)
      if (counted) {
        addLists(segment, from, end, exhaustive)
        matchCount += countMatching(sums, segment.documents, dead)
      }
      sums.fill(0, 0, segment.documents)
    })
    const best = top.finish().map(({ part, document, sum }) => ({
      document: viewOf((collection.parts[part] as SegmentState).segment, document),
      estimate: (sum / SUM_LIMIT) * (total / query.bound),
    }))
    return { best, matchCount }
  }

  /** Returns documents per live document, because lists also contain dead ones. */
  function documentsPerLiveDocument(): number {
    let documents = 0
    let liveCount = 0
    for (const { segment, live } of collection.parts) {
      documents += segment.documents
      liveCount += live
    }
    return liveCount === 0 ? 1 : documents / liveCount
  }

  /** Sets the weights. Returns the maximum evidence of a document that has all compounds, too. */
  function weigh({ terms }: Query): number {
    const total = terms.reduce(
      (sum, { bound, compounds }) => sum + bound * (1 + compounds.length),
      0,
    )
    used = terms.length * LEVELS
    if (used > weights.length) {
      const length = 2 * used
      weights = new Uint16Array(length)
      counts = new Uint32Array(length)
      budgeted = new Uint16Array(length)
      exhaustive = new Uint16Array(length)
      order = new Uint32Array(length)
    }
    terms.forEach((term, index) => {
      const share = (SUM_LIMIT * term.bound) / total
      for (let level = 0; level < LEVELS; level++) {
        weights[index * LEVELS + level] = Math.max(1, Math.round(share * impactValue(level)))
      }
    })
    return total
  }

  /**
   * Finds the posting lists of the terms in a segment and counts their postings by level. Returns
   * the number of lists so far.
   */
  function findLists({ stems }: Segment, { terms }: Query): number {
    terms.forEach(({ stem, compounds }, index) => {
      findOne(stems, stem, index)
      for (const compound of compounds) findOne(stems, compound, index)
    })
    return found
  }

  function findOne(stems: PostingLists, stem: number, index: number): void {
    lists[found] ??= { start: 0, end: 0, at: 0 }
    const list = lists[found] as TermList
    if (stem === 0 || !findList(stems, stem, list)) return
    list.at = index * LEVELS
    countLevels(stems, list, counts, list.at)
    found++
  }

  function addLists({ stems }: Segment, from: number, end: number, granted: Uint16Array): void {
    for (let i = from; i < end; i++) {
      const list = lists[i] as TermList
      addList(stems, list, granted, list.at, sums)
    }
  }

  /**
   * Grants weights in descending order until the budget is spent, including the one that exceeds
   * it, and clears their counts.
   */
  function grant(budget: number, granted: Uint16Array): void {
    let levels = 0
    let postings = 0
    for (let place = 0; place < used; place++) {
      if (counts[place] === 0) continue
      postings += counts[place] as number
      // Packed numbers sort much faster than with a comparator.
      order[levels++] = ((0xffff - (weights[place] as number)) << 16) | place
    }
    if (postings > budget) order.subarray(0, levels).sort()
    granted.fill(0, 0, used)
    let remaining = budget
    for (let i = 0; i < levels && remaining > 0; i++) {
      const place = (order[i] as number) & 0xffff
      granted[place] = weights[place] as number
      remaining -= counts[place] as number
      counts[place] = 0
    }
  }
}

function countMatching(sums: Uint16Array, documents: number, dead: Uint8Array): number {
  let matchCount = 0
  for (let document = 0; document < documents; document++) {
    if (sums[document] !== 0 && dead[document] === 0) matchCount++
  }
  return matchCount
}
