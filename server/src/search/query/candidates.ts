import {
  EXHAUSTIVE_BUDGET,
  POSTINGS_BUDGET,
  POSTINGS_BUDGET_SHARE,
} from '../constants/constants.ts'
import {
  type Collection,
  type DocumentView,
  type SegmentState,
  viewOf,
} from '../segment/collection.ts'
import { impactValue } from '../segment/impact.ts'
import { addList, countLevels, findList, LEVELS, type PostingList } from '../segment/postings.ts'
import { SEGMENT_DOCUMENTS, type Segment } from '../segment/segment.ts'
import type { Query } from './parse.ts'
import { createTopK } from './top-k.ts'

/** A document of a segment that may serve a task well. */
export interface Candidate {
  document: DocumentView
  /** Its sum of impacts: about the evidence of its words over the most there could be. */
  estimate: number
}

export interface Candidates {
  /** In no order. */
  best: Candidate[]
  /** Documents that hold any term, as far as `EXHAUSTIVE_BUDGET` reaches; only where asked for. */
  matching: number
}

/** Sums stay below two bytes, rounding included. */
const SUM_LIMIT = 60_000

/** The list of a term in a segment. */
interface TermList extends PostingList {
  /** Where the term's weights and counts begin. */
  at: number
}

export type CandidateFinder = ReturnType<typeof createCandidateFinder>

/**
 * Finds the documents whose stems promise most. Sums of quantised impacts are kept in two bytes a
 * document; runs of postings are added in falling order of what they weigh, until the budget is
 * spent (score-at-a-time, "anytime" ranking), so that time grows more slowly than the catalogue.
 */
export function createCandidateFinder(collection: Collection) {
  const sums = new Uint16Array(SEGMENT_DOCUMENTS)
  const top = createTopK()
  /** The lists found, segment after segment; the objects are used again for the next task. */
  const lists: TermList[] = []
  let found = 0
  /** Weight of each level of each term. */
  let weights = new Uint16Array(64 * LEVELS)
  /** How many documents have each level of each term that was not granted yet. */
  let counts = new Uint32Array(64 * LEVELS)
  /** The weights that the budget reaches, and those that only counting all reaches; 0 for the others. */
  let affordable = new Uint16Array(64 * LEVELS)
  let further = new Uint16Array(64 * LEVELS)
  /** Entries of these columns that the task at hand uses. */
  let used = 0
  /** The places of the counts above 0, below what sorts them by falling weight. */
  let order = new Uint32Array(64 * LEVELS)
  return { find }

  /**
   * At least the `wanted` best, if so many match; those that tie with the last come along, within
   * bounds. They are the same whether all that match are counted or not.
   */
  function find(query: Query, wanted: number, counted: boolean): Candidates {
    weigh(query)
    top.begin(wanted)
    counts.fill(0, 0, used)
    found = 0
    const ends = collection.parts.map(({ segment }) => findLists(segment, query))
    // the same levels in all segments, or documents of one would have more of the sum than those of another
    spend((POSTINGS_BUDGET + POSTINGS_BUDGET_SHARE * collection.size) * perLiving(), affordable)
    if (counted) spend(EXHAUSTIVE_BUDGET, further)
    let matching = 0
    collection.parts.forEach(({ segment, dead }, number) => {
      const [from, end] = [ends[number - 1] ?? 0, ends[number] as number]
      addLists(segment, from, end, affordable)
      top.collect(sums.subarray(0, segment.documents), dead, number)
      if (counted) {
        addLists(segment, from, end, further)
        matching += countMatching(sums, segment.documents, dead)
      }
      sums.fill(0, 0, segment.documents)
    })
    const best = top.finish().map(({ part, document, sum }) => ({
      document: viewOf((collection.parts[part] as SegmentState).segment, document),
      estimate: sum / SUM_LIMIT,
    }))
    return { best, matching }
  }

  /** Documents for each living one: the lists are those of the dead as well. */
  function perLiving(): number {
    let documents = 0
    let alive = 0
    for (const { segment, living } of collection.parts) {
      documents += segment.documents
      alive += living
    }
    return alive === 0 ? 1 : documents / alive
  }

  function weigh({ terms, bound }: Query): void {
    used = terms.length * LEVELS
    if (used > weights.length) {
      const length = 2 * used
      weights = new Uint16Array(length)
      counts = new Uint32Array(length)
      affordable = new Uint16Array(length)
      further = new Uint16Array(length)
      order = new Uint32Array(length)
    }
    terms.forEach((term, index) => {
      const share = (SUM_LIMIT * term.bound) / bound
      for (let level = 0; level < LEVELS; level++) {
        weights[index * LEVELS + level] = Math.max(1, Math.round(share * impactValue(level)))
      }
    })
  }

  /** Finds the lists of the terms in a segment, and counts their postings by level; gives where the lists end. */
  function findLists({ stems }: Segment, { terms }: Query): number {
    terms.forEach(({ stem }, index) => {
      lists[found] ??= { start: 0, end: 0, at: 0 }
      const list = lists[found] as TermList
      if (stem === 0 || !findList(stems, stem, list)) return
      list.at = index * LEVELS
      countLevels(stems, list, counts, list.at)
      found++
    })
    return found
  }

  function addLists({ stems }: Segment, from: number, end: number, granted: Uint16Array): void {
    for (let i = from; i < end; i++) {
      const list = lists[i] as TermList
      addList(stems, list, granted, list.at, sums)
    }
  }

  /**
   * Grants the weights that the budget reaches, the heaviest first, up to the one that exceeds it, and
   * strikes them off the counts.
   */
  function spend(budget: number, granted: Uint16Array): void {
    let levels = 0
    let postings = 0
    for (let place = 0; place < used; place++) {
      if (counts[place] === 0) continue
      postings += counts[place] as number
      // numbers sort much faster than by a comparison
      order[levels++] = ((0xffff - (weights[place] as number)) << 16) | place
    }
    if (postings > budget) order.subarray(0, levels).sort()
    granted.fill(0, 0, used)
    let left = budget
    for (let i = 0; i < levels && left > 0; i++) {
      const place = (order[i] as number) & 0xffff
      granted[place] = weights[place] as number
      left -= counts[place] as number
      counts[place] = 0
    }
  }
}

function countMatching(sums: Uint16Array, documents: number, dead: Uint8Array): number {
  let matching = 0
  for (let document = 0; document < documents; document++) {
    if (sums[document] !== 0 && dead[document] === 0) matching++
  }
  return matching
}
