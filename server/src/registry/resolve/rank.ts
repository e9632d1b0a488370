import { confidenceOf, type Evidence } from './confidence.ts'
import { CROWD_RANK, NEAR_EQUAL, RESCORED } from './constants.ts'
import { demote } from './demote.ts'
import type { Documents } from './documents.ts'
import type { Query } from './query.ts'
import { finalScore, type Rescorer } from './rescore.ts'
import type { WordScorer, WordScores } from './score.ts'

export type ExplainedField = 'name' | 'slug' | 'tags' | 'description' | 'readme'

/** Why a skill was found. */
export interface Explanation {
  /** Which words of the task, as written, stand in which fields, with the IDF weight of each. */
  tokens: { token: string; fields: ExplainedField[]; weight: number }[]
  /** Share of the task's IDF, from 0 to 1, that stands in name, slug, tags or description. */
  coverage: number
  /** Words of the task that stand nowhere in the skill, heaviest first, at most ten. */
  missing: string[]
}

export interface ResolveHit {
  slot: number
  /** Ranking score: comparable within one answer only. */
  score: number
  /** Probability from 0 to 1 that the skill serves the task: comparable everywhere. */
  confidence: number
  explanation: Explanation
  /** Slots of the other hits among the best that are nearly the same. */
  copies: number[]
}

export interface ResolveOptions {
  limit: number
  /** Least confidence of a hit. */
  threshold: number
  /** Trust from 0 to 1; orders skills that fit equally well, and nothing else. */
  prior?: (slot: number) => number
  /** What votes leave of a skill's score and confidence: 1, or less where they are against it. */
  demotion?: (slot: number) => number
  /** Order of skills of the same score; by slot when left out. */
  order?: (a: number, b: number) => number
  /** Told what each confidence rests on, for fitting it (test/bench/fit-confidence.ts). */
  onEvidence?: (slot: number, evidence: Evidence) => void
}

interface Candidate {
  document: number
  slot: number
  score: number
  coverage: number
  confidence: number
}

export type Ranker = (
  query: Query,
  options: ResolveOptions,
) => { hits: ResolveHit[]; matched: number }

export function createRanker(documents: Documents, words: WordScorer, rescorer: Rescorer): Ranker {
  return (query, options) => {
    if (query.terms.length === 0 || documents.live === 0) return { hits: [], matched: 0 }
    let depth = Math.max(RESCORED, options.limit)
    const first = rankTo(depth, query, options)
    let { matched, reached } = first
    // Where every one of them passes the threshold, others behind them may: copies by the dozen.
    while (options.threshold > 0 && reached === depth && depth < documents.live) {
      depth *= 4
      ;({ matched, reached } = rankTo(depth, query, options))
    }
    return { hits: first.hits, matched }
  }

  function rankTo(depth: number, query: Query, options: ResolveOptions) {
    const { limit, threshold, prior, demotion } = options
    const best = words.best(query, depth, threshold <= 0)
    if (best.count === 0) return { hits: [], matched: 0, reached: 0 }
    const passing = (list: readonly Candidate[]) => {
      const end = list.findIndex(({ confidence }) => confidence < threshold)
      return end === -1 ? list.length : end
    }
    rescorer.begin(query)
    try {
      const before = byScore(options.order)
      const ranked = rescoreAll(best, query).sort(before)
      grade(ranked, query, options)
      const settled = prior ? settleTies(ranked, prior, before) : ranked
      const shown = demotion ? demote(settled, ({ slot }) => demotion(slot)) : settled
      const matched = passing(shown)
      const hits = shown.slice(0, Math.min(limit, matched)).map((hit) => present(hit, query))
      const reached = passing(ranked)
      return { hits, matched: threshold <= 0 ? best.matching : matched, reached }
    } finally {
      rescorer.end()
    }
  }

  /** The best again, with pairs and names. */
  function rescoreAll(best: WordScores, query: Query): Candidate[] {
    const ranked: Candidate[] = []
    for (let i = 0; i < best.count; i++) {
      const document = best.documents[i] as number
      const words = best.scores[i] as number
      const slot = documents.slots[document] as number
      const rescored = rescorer.rescore(document)
      const score = finalScore(words, rescored, query.bound)
      ranked.push({ document, slot, score, coverage: rescored.headIdf, confidence: 0 })
    }
    return ranked
  }

  /** Fills in confidences: never rising along the ranking, the same among near-equal scores. */
  function grade(ranked: readonly Candidate[], query: Query, { onEvidence }: ResolveOptions): void {
    const totalIdf = idfOf(query)
    const contentStems = query.terms.filter(({ filler }) => !filler).length
    const top = ranked[0]?.score ?? 0
    // fewer matches leave no crowd to stand out from; near-copies alone do not reach rank 50
    const crowd = (ranked[CROWD_RANK - 1]?.score ?? 0) / top
    let ceiling = 1
    for (let i = 0; i < ranked.length; ) {
      const group = nearEqual(ranked, i)
      let confidence = 0
      for (let j = i; j < group; j++) {
        const { slot, score, coverage } = ranked[j] as Candidate
        const evidence = {
          score,
          raw: score * query.bound,
          contentStems,
          coverage: coverage / totalIdf,
          crowd,
          relative: score / top,
          size: documents.live,
        }
        onEvidence?.(slot, evidence)
        confidence = Math.max(confidence, confidenceOf(evidence))
      }
      ceiling = Math.min(ceiling, confidence)
      for (; i < group; i++) (ranked[i] as Candidate).confidence = ceiling
    }
  }

  function present(hit: Candidate, query: Query): ResolveHit {
    const { slot, score, confidence } = hit
    return { slot, score, confidence, explanation: explain(hit, query), copies: [] }
  }

  function explain({ document, coverage }: Candidate, query: Query): Explanation {
    const found = rescorer.fields(document)
    const tokens: Explanation['tokens'] = []
    const missing: Query['terms'][number]['words'][number][] = []
    query.terms.forEach(({ words }, index) => {
      const bits = found[index] as number
      if (bits === 0) {
        missing.push(...words)
        return
      }
      const fields = FIELD_NAMES.filter((_, field) => (bits & (FIELD_BITS[field] as number)) !== 0)
      for (const { surface, idf } of words) {
        tokens.push({ token: surface, fields: [...fields], weight: idf })
      }
    })
    missing.sort((a, b) => b.idf - a.idf)
    return {
      tokens,
      coverage: Math.min(1, coverage / idfOf(query)),
      missing: missing.slice(0, MOST_MISSING).map(({ surface }) => surface),
    }
  }
}

/** Most words that an explanation names as missing. */
const MOST_MISSING = 10

const idfOf = (query: Query): number => query.terms.reduce((sum, { stemIdf }) => sum + stemIdf, 0)

const FIELD_NAMES: readonly ExplainedField[] = ['name', 'slug', 'tags', 'description', 'readme']
/** Bits by FIELD: an aside is part of the description; headings, text and code are the readme. */
const FIELD_BITS = [1, 2, 4, 8 | 16, 32 | 64 | 128]

type Order = (a: Candidate, b: Candidate) => number

const bySlot = (a: number, b: number) => a - b

const byScore =
  (order: (a: number, b: number) => number = bySlot): Order =>
  (a, b) =>
    b.score - a.score || order(a.slot, b.slot)

/** The end of the run, from `from`, of scores that count as equal to its first. */
function nearEqual(ranked: readonly Candidate[], from: number): number {
  const least = (ranked[from]?.score ?? 0) * (1 - NEAR_EQUAL)
  let end = from + 1
  while (end < ranked.length && (ranked[end]?.score ?? 0) >= least) end++
  return end
}

/** Orders each run of near-equal scores by trust; scores shown never rise along the list. */
function settleTies(
  ranked: readonly Candidate[],
  prior: (slot: number) => number,
  before: Order,
): Candidate[] {
  const settled: Candidate[] = []
  for (let i = 0; i < ranked.length; ) {
    const end = nearEqual(ranked, i)
    const run = ranked.slice(i, end)
    if (run.length > 1) {
      const trust = new Map(run.map(({ slot }) => [slot, prior(slot)]))
      run.sort((a, b) => (trust.get(b.slot) ?? 0) - (trust.get(a.slot) ?? 0) || before(a, b))
    }
    let ceiling = Number.POSITIVE_INFINITY
    for (const hit of run) {
      ceiling = Math.min(ceiling, hit.score)
      settled.push({ ...hit, score: ceiling })
    }
    i = end
  }
  return settled
}
