import { type Collection, type DocumentView, type Part, viewOf } from './collection.ts'
import {
  EXHAUSTIVE_BUDGET,
  LEAST_BUDGET,
  POSTINGS_BUDGET,
  POSTINGS_BUDGET_SHARE,
} from './constants.ts'
import { impactValue } from './impact.ts'
import { addRun, findKey, LEVELS, type Run, readRun } from './posting-lists.ts'
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

export function createCandidateFinder(collection: Collection): CandidateFinder {
  const sums = new Uint16Array(SEGMENT_DOCUMENTS)
  const top = createTopSums()
  const run: Run = { level: 0, count: 0, gaps: false, start: 0, end: 0 }
  /** Weight of each level of each term. */
  let weights = new Uint16Array(64 * LEVELS)
  /** The levels of all terms, the heaviest first; sorted when first needed. */
  let order: Uint16Array | undefined
  /** Where the run of each level of each term begins in the part, plus one. */
  let runStarts = new Uint32Array(64 * LEVELS)
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
      top.collect(sums, documents, part.dead, number)
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
      weights = new Uint16Array(2 * terms.length * LEVELS)
      runStarts = new Uint32Array(2 * terms.length * LEVELS)
    }
    order = undefined
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
    let postings = 0
    const used = terms.length * LEVELS
    runStarts.fill(0, 0, used)
    terms.forEach(({ group }, index) => {
      const place = group === 0 ? -1 : findKey(stems, group)
      if (place < 0) return
      const end = stems.starts[place + 1] as number
      for (let at = stems.starts[place] as number; at < end; at = run.end) {
        readRun(stems.bytes, at, run)
        runStarts[index * LEVELS + run.level] = at + 1
        postings += run.count
      }
    })
    if (postings <= budget) addAll(stems.bytes, used)
    else addHeaviest(stems.bytes, used, budget)
  }

  function addAll(bytes: Uint8Array, used: number): void {
    for (let i = 0; i < used; i++) addOne(bytes, i)
  }

  function addHeaviest(bytes: Uint8Array, used: number, budget: number): void {
    order ??= heaviestFirst(weights.subarray(0, used))
    let spent = 0
    for (let i = 0; i < used && spent < budget; i++) spent += addOne(bytes, order[i] as number)
  }

  function addOne(bytes: Uint8Array, entry: number): number {
    const start = runStarts[entry] as number
    if (start === 0) return 0
    readRun(bytes, start - 1, run)
    addRun(bytes, run, weights[entry] as number, sums)
    return run.count
  }
}

/** The places of the weights in falling order; numbers sort much faster than by a comparison. */
function heaviestFirst(weights: Uint16Array): Uint16Array {
  const keys = new Uint32Array(weights.length)
  for (let i = 0; i < keys.length; i++)
    keys[i] = (((0xffff - (weights[i] as number)) << 16) | i) >>> 0
  return Uint16Array.from(keys.sort(), (key) => key & 0xffff)
}

function countMatching(sums: Uint16Array, documents: number, dead: Uint8Array): number {
  let matching = 0
  for (let document = 0; document < documents; document++) {
    if (sums[document] !== 0 && dead[document] === 0) matching++
  }
  return matching
}
