import { moveHighest } from '../move-highest.ts'
import { type Documents, type SegmentState, viewOf } from '../segment/collection.ts'
import {
  addList,
  countLevels,
  findList,
  impactValue,
  LEVELS,
  type PostingList,
  SEGMENT_DOCUMENTS,
  type Segment,
} from '../segment/segment.ts'
import { MAX_QUERY_TERMS, type Query } from './parse.ts'
import { MAX_CANDIDATES } from './ranking.ts'

/** Postings that resolve reads at most: a constant plus a share of the number of skills. */
const POSTINGS_BUDGET = 12_000
const POSTINGS_BUDGET_SHARE = 0.35

/** Postings read to count all matches at threshold 0, which limits the time on the event loop. */
const EXHAUSTIVE_BUDGET = 4_000_000

/** Maximum number of terms with levels. */
const MAX_ENTRIES = MAX_QUERY_TERMS * LEVELS

/** Maximum sum of weights, with room for rounding in 16 bits. */
const SUM_LIMIT = 60_000

/** A term's posting list in one segment. */
interface TermList extends PostingList {
  /** Offset of the term's weights and counts. */
  at: number
}

/**
 * Finds the documents with the highest sums of quantized impacts. Impact levels are added in
 * descending order of weight until the postings budget is spent (score-at-a-time, anytime ranking),
 * so time grows more slowly than the catalogue.
 */
export function createCandidateFinder(collection: Documents) {
  const sums = new Uint16Array(SEGMENT_DOCUMENTS)
  const top = createTopK()
  const weights = new Uint16Array(MAX_ENTRIES)
  /** Postings by term and level that no budget covers yet. */
  const counts = new Uint32Array(MAX_ENTRIES)
  /** Weights within the budget, and those only for the exhaustive count. 0 for the others. */
  const budgeted = new Uint16Array(MAX_ENTRIES)
  const exhaustive = new Uint16Array(MAX_ENTRIES)
  /** Number of entries in use. */
  let used = 0
  /** Entries with postings, sorted by descending weight. The weight is in the high bits. */
  const order = new Uint32Array(MAX_ENTRIES)
  return find

  /**
   * Returns the best `wanted` documents, plus ties with the last one up to a limit. The estimate is
   * the sum of impacts: approximate word evidence as a share of its maximum. If `counted`,
   * `matchCount` is the number of documents with any query term, within `EXHAUSTIVE_BUDGET`.
   */
  function find(query: Query, wanted: number, counted: boolean) {
    const total = weigh(query)
    top.begin(wanted)
    counts.fill(0, 0, used)
    const lists = collection.parts.map(({ segment }) => findLists(segment, query))
    const documents = collection.parts.reduce((sum, { segment }) => sum + segment.documents, 0)
    const live = collection.size - collection.buffered.length
    const budget = POSTINGS_BUDGET + POSTINGS_BUDGET_SHARE * collection.size
    // Lists also contain dead documents. Grant the same levels in all segments, so that sums are
    // comparable.
    grant((budget * documents) / Math.max(1, live), budgeted)
    if (counted) grant(EXHAUSTIVE_BUDGET, exhaustive)
    let matchCount = 0
    collection.parts.forEach(({ segment, dead }, number) => {
      const own = lists[number] as TermList[]
      for (const list of own) addList(segment.stems, list, budgeted, list.at, sums)
      top.collect(sums.subarray(0, segment.documents), dead, number)
      if (counted) {
        for (const list of own) addList(segment.stems, list, exhaustive, list.at, sums)
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

  /** Sets the weights. Returns the maximum evidence of a document that has all compounds, too. */
  function weigh({ terms }: Query): number {
    const total = terms.reduce(
      (sum, { bound, compounds }) => sum + bound * (1 + compounds.length),
      0,
    )
    used = terms.length * LEVELS
    terms.forEach((term, index) => {
      const share = (SUM_LIMIT * term.bound) / total
      for (let level = 0; level < LEVELS; level++) {
        weights[index * LEVELS + level] = Math.max(1, Math.round(share * impactValue(level)))
      }
    })
    return total
  }

  /** Finds the posting lists of the terms in a segment, and counts their postings by level. */
  function findLists({ stems }: Segment, { terms }: Query): TermList[] {
    const lists: TermList[] = []
    terms.forEach(({ stem, compounds }, index) => {
      for (const key of [stem, ...compounds]) {
        const list = { start: 0, end: 0, at: index * LEVELS }
        if (key === 0 || !findList(stems, key, list)) continue
        countLevels(stems, list, counts, list.at)
        lists.push(list)
      }
    })
    return lists
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

/** Maximum results including ties, as a multiple of k. Tasks of one word have many ties. */
const MAX_RESULTS_FACTOR = 3

/** Capacity between two prunings, as a multiple of k. */
const CAPACITY = 4

/** An entry packs the sum above the inverted place, so that equal sums sort by ascending place. */
const PLACES = 2 ** 32

/** Collects the documents with the k highest sums over several segments. */
function createTopK() {
  const entries = new Float64Array(MAX_CANDIDATES * CAPACITY)
  let k = 0
  let count = 0
  /** Minimum sum that can still be among the best. */
  let minSum = 1
  const sumAt = (at: number) => Math.floor((entries[at] as number) / PLACES)
  return { begin, collect, finish }

  /** Starts a new collection of the k best. */
  function begin(size: number): void {
    k = size
    count = 0
    minSum = 1
  }

  /** Adds the positive sums of a segment's live documents. */
  function collect(sums: Uint16Array, dead: Uint8Array, part: number): void {
    for (let document = 0; document < sums.length; document++) {
      const sum = sums[document] as number
      if (sum < minSum || dead[document] === 1) continue
      entries[count++] = sum * PLACES + (PLACES - 1 - (part * 2 ** 16 + document))
      if (count === k * CAPACITY) prune()
    }
  }

  /** Keeps the best k and ties with the last of them, in no particular order. */
  function prune(): void {
    if (count <= k) return
    const limit = Math.min(count, k * MAX_RESULTS_FACTOR)
    moveHighest(entries.subarray(0, count), limit)
    moveHighest(entries.subarray(0, limit), k)
    let last = Number.POSITIVE_INFINITY
    for (let at = 0; at < k; at++) last = Math.min(last, sumAt(at))
    count = k
    for (let at = k; at < limit; at++) {
      if (sumAt(at) === last) entries[count++] = entries[at] as number
    }
    minSum = count < k * MAX_RESULTS_FACTOR ? last : last + 1
  }

  /** Returns the best in descending order, and ties with the last of them. */
  function finish() {
    prune()
    return Array.from(entries.subarray(0, count).sort().reverse(), (entry) => {
      const sum = Math.floor(entry / PLACES)
      const place = PLACES - 1 - (entry - sum * PLACES)
      return { sum, part: Math.floor(place / 2 ** 16), document: place % 2 ** 16 }
    })
  }
}
