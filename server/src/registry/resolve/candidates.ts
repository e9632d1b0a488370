import { type Collection, type DocumentView, type Part, viewOf } from './collection.ts'
import {
  EXHAUSTIVE_BUDGET,
  LEAST_BUDGET,
  POSTINGS_BUDGET,
  POSTINGS_BUDGET_SHARE,
} from './constants.ts'
import { impactValue } from './impact.ts'
import { addList, countLevels, findList, LEVELS, type PostingList } from './posting-lists.ts'
import type { Query } from './query.ts'
import { SEGMENT_DOCUMENTS } from './segment.ts'
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
  /** Documents that hold any term, as far as postings were read; known only after an exhaustive run. */
  matching: number
}

/**
 * Finds the documents whose stems promise most. Sums of quantised impacts are kept in two bytes a
 * document; runs of postings are added in falling order of what they weigh, until the budget is
 * spent (score-at-a-time, "anytime" ranking), so that time grows more slowly than the catalogue.
 */
export interface CandidateFinder {
  /** At least the `wanted` best, if so many match; those that tie with the last come along, within bounds. */
  find(query: Query, wanted: number, exhaustive: boolean): Candidates
}

/** Sums stay below two bytes, rounding included. */
const SUM_LIMIT = 60_000

/** The list of a term in a part. */
interface TermList extends PostingList {
  /** Where the term's weights and counts begin. */
  at: number
}

export function createCandidateFinder(collection: Collection): CandidateFinder {
  const sums = new Uint16Array(SEGMENT_DOCUMENTS)
  const top = createTopSums(sums)
  /** Those found in the part; kept for the next. */
  const lists: TermList[] = []
  /** Weight of each level of each term. */
  let weights = new Uint16Array(64 * LEVELS)
  /** How many documents of the part have each level of each term. */
  let counts = new Uint32Array(64 * LEVELS)
  /** The weights that the budget reaches; 0 for the others. */
  let affordable = new Uint16Array(64 * LEVELS)
  /** The places of the counts above 0, below what sorts them by falling weight. */
  let order = new Uint32Array(64 * LEVELS)
  return { find }

  function find(query: Query, wanted: number, exhaustive: boolean): Candidates {
    weigh(query)
    top.begin(wanted)
    let matching = 0
    const budget = POSTINGS_BUDGET / collection.size + POSTINGS_BUDGET_SHARE
    const share = exhaustive ? EXHAUSTIVE_BUDGET / collection.size : budget
    collection.parts.forEach((part, number) => {
      const { documents } = part.segment
      addTerms(part, query, Math.max(LEAST_BUDGET, share * part.living))
      top.collect(documents, part.dead, number)
      if (exhaustive) matching += countMatching(sums, documents, part.dead)
      sums.fill(0, 0, documents)
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

  /** Adds the terms' postings in a part, all of them or the heaviest within the budget. */
  function addTerms({ segment }: Part, { terms }: Query, budget: number): void {
    const { stems } = segment
    const used = terms.length * LEVELS
    counts.fill(0, 0, used)
    let found = 0
    let postings = 0
    terms.forEach(({ group }, index) => {
      lists[found] ??= { form: 0, start: 0, end: 0, at: 0 }
      const list = lists[found] as TermList
      if (group === 0 || !findList(stems, group, list)) return
      list.at = index * LEVELS
      postings += countLevels(stems.bytes, list, counts, list.at)
      found++
    })
    if (postings > budget) spend(budget, used)
    const given = postings > budget ? affordable : weights
    for (let i = 0; i < found; i++) {
      const list = lists[i] as TermList
      addList(stems.bytes, list, given, list.at, sums)
    }
  }

  /** Grants the weights that the budget reaches, the heaviest first, up to the one that exceeds it. */
  function spend(budget: number, used: number): void {
    let levels = 0
    for (let place = 0; place < used; place++) {
      if (counts[place] === 0) continue
      // numbers sort much faster than by a comparison
      order[levels++] = ((0xffff - (weights[place] as number)) << 16) | place
    }
    order.subarray(0, levels).sort()
    affordable.fill(0, 0, used)
    let left = budget
    for (let i = 0; i < levels && left > 0; i++) {
      const place = (order[i] as number) & 0xffff
      affordable[place] = weights[place] as number
      left -= counts[place] as number
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
