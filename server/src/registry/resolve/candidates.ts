import { type Documents, type DocumentView, type Part, viewOf } from './collection.ts'
import {
  EXHAUSTIVE_BUDGET,
  LEAST_BUDGET,
  POSTINGS_BUDGET,
  POSTINGS_BUDGET_SHARE,
} from './constants.ts'
import { impactValue } from './impact.ts'
import { addList, countLevels, findList, LEVELS, type PostingList } from './posting-lists.ts'
import type { Query } from './query.ts'
import { SEGMENT_DOCUMENTS, type Segment } from './segment.ts'
import { createTopSums } from './top-sums.ts'

/** A document of a segment that may serve a task well. */
export interface Candidate {
  document: DocumentView
  /** What its stems' impacts say, about the evidence of its words over the most there could be. */
  estimate: number
}

export interface Candidates {
  /** In no order. */
  best: Candidate[]
  /** Documents that hold any term, as far as `EXHAUSTIVE_BUDGET` reaches; only where asked for. */
  matching: number
}

/**
 * Finds the documents whose stems promise most. Sums of quantised impacts are kept in two bytes a
 * document; runs of postings are added in falling order of what they weigh, until the budget is
 * spent (score-at-a-time, "anytime" ranking), so that time grows more slowly than the catalogue.
 */
export interface CandidateFinder {
  /**
   * At least the `wanted` best, if so many match; those that tie with the last come along, within
   * bounds. They are the same whether all that match are counted or not.
   */
  find(query: Query, wanted: number, counted: boolean): Candidates
}

/** Sums stay below two bytes, rounding included. */
const SUM_LIMIT = 60_000

/** The list of a term in a part. */
interface TermList extends PostingList {
  /** Where the term's weights and counts begin. */
  at: number
}

export function createCandidateFinder(collection: Documents): CandidateFinder {
  const sums = new Uint16Array(SEGMENT_DOCUMENTS)
  const top = createTopSums(sums)
  /** Those found in the part; kept for the next. */
  const lists: TermList[] = []
  /** Weight of each level of each term. */
  let weights = new Uint16Array(64 * LEVELS)
  /** How many documents of the part have each level of each term and were not added yet. */
  let counts = new Uint32Array(64 * LEVELS)
  /** The weights that the budget reaches; 0 for the others. */
  let affordable = new Uint16Array(64 * LEVELS)
  /** How many of these are the task's. */
  let used = 0
  /** The places of the counts above 0, below what sorts them by falling weight. */
  let order = new Uint32Array(64 * LEVELS)
  return { find }

  function find(query: Query, wanted: number, counted: boolean): Candidates {
    weigh(query)
    top.begin(wanted)
    let matching = 0
    const budget = POSTINGS_BUDGET / collection.size + POSTINGS_BUDGET_SHARE
    collection.parts.forEach((part, number) => {
      const { segment, living, dead } = part
      const found = findLists(segment, query)
      addHeaviest(segment, found, Math.max(LEAST_BUDGET, budget * living))
      top.collect(segment.documents, dead, number)
      if (counted) {
        addHeaviest(segment, found, (EXHAUSTIVE_BUDGET / collection.size) * living)
        matching += countMatching(sums, segment.documents, dead)
      }
      sums.fill(0, 0, segment.documents)
    })
    const { parts, documents, sums: sumOf } = top.finish()
    const best = Array.from(parts, (number, i) => ({
      document: viewOf((collection.parts[number] as Part).segment, documents[i] as number),
      estimate: (sumOf[i] as number) / SUM_LIMIT,
    }))
    return { best, matching }
  }

  function weigh({ terms, bound }: Query): void {
    if (terms.length * LEVELS > weights.length) {
      const length = 2 * terms.length * LEVELS
      weights = new Uint16Array(length)
      counts = new Uint32Array(length)
      affordable = new Uint16Array(length)
      order = new Uint32Array(length)
    }
    terms.forEach((term, index) => {
      const share = (SUM_LIMIT * term.bound) / bound
      for (let level = 0; level < LEVELS; level++) {
        weights[index * LEVELS + level] = Math.max(1, Math.round(share * impactValue(level)))
      }
    })
  }

  /** Finds the lists of the terms, and how many postings they have of each level; gives how many. */
  function findLists({ stems }: Segment, { terms }: Query): number {
    used = terms.length * LEVELS
    counts.fill(0, 0, used)
    let found = 0
    terms.forEach(({ group }, index) => {
      lists[found] ??= { form: 0, start: 0, end: 0, at: 0 }
      const list = lists[found] as TermList
      if (group === 0 || !findList(stems, group, list)) return
      list.at = index * LEVELS
      countLevels(stems.bytes, list, counts, list.at)
      found++
    })
    return found
  }

  /** Adds the heaviest postings of the lists within the budget, and no level of any twice. */
  function addHeaviest({ stems }: Segment, found: number, budget: number): void {
    if (!spend(budget)) return
    for (let i = 0; i < found; i++) {
      const list = lists[i] as TermList
      addList(stems.bytes, list, affordable, list.at, sums)
    }
  }

  /**
   * Grants the weights that the budget reaches, the heaviest first, up to the one that exceeds it, and
   * strikes them off the counts. Says whether there are any.
   */
  function spend(budget: number): boolean {
    let levels = 0
    let postings = 0
    for (let place = 0; place < used; place++) {
      if (counts[place] === 0) continue
      postings += counts[place] as number
      // numbers sort much faster than by a comparison
      order[levels++] = ((0xffff - (weights[place] as number)) << 16) | place
    }
    if (postings > budget) order.subarray(0, levels).sort()
    affordable.fill(0, 0, used)
    let left = budget
    for (let i = 0; i < levels && left > 0; i++) {
      const place = (order[i] as number) & 0xffff
      affordable[place] = weights[place] as number
      left -= counts[place] as number
      counts[place] = 0
    }
    return levels > 0
  }
}

function countMatching(sums: Uint16Array, documents: number, dead: Uint8Array): number {
  let matching = 0
  for (let document = 0; document < documents; document++) {
    if (sums[document] !== 0 && dead[document] === 0) matching++
  }
  return matching
}
