import type { DocumentView } from '../document/forward-index.ts'
import type { Query } from './parse.ts'

/** Maximum number of scored candidates, and so of `matched`. */
export const MAX_CANDIDATES = 1024

/** Relative score difference below which two hits tie and the balance of votes orders them. */
const TIE_MARGIN = 0.005

export interface ResolveOptions {
  limit: number
  threshold: number
  /** Whether skills may be ineligible. `matched` then counts only ranked hits. */
  isFiltered?: boolean
}

interface Scores {
  score: number
  confidence: number
}

/** A skill that reaches the threshold before votes and copies are considered. */
export interface RankedHit extends Scores {
  slot: number
  document: DocumentView
  /** IDF of the query terms in name, slug, tags and description. */
  headIdf: number
  /** A bit per SECTION that contains it, by query term. Undefined until the readme is read. */
  sections: Uint16Array | undefined
}

/** A ranking by text alone. */
export interface Ranking {
  readonly query: Query
  /** Hits that reach the threshold, best first, at most `MAX_CANDIDATES`. */
  readonly hits: readonly RankedHit[]
  /** Documents that contain any query term. Counted only if the threshold is 0. */
  readonly matchCount: number
}

/** The registry's data on a ranked skill. */
export interface SkillView {
  /** Orders skills of the same score and balance of votes. */
  readonly id: string
  readonly createdAt: number
  /** Balance of the votes, -1 to 1. Orders skills with tied scores. */
  readonly voteBalance: number
  /** Factor of score and confidence, 0 to 1. Below 1 if votes are clearly against the skill. */
  readonly demotion: number
  /** Whether the skill may be returned. Others are dropped before the limit and are not counted. */
  readonly isEligible: boolean
  /** Skills that this one is a near-copy of. It ranks behind them. */
  readonly originals: readonly { readonly slot: number; readonly createdAt: number }[]
}

export type ViewedHit = RankedHit & { readonly view: SkillView }

/** Orders by descending score, then slot. */
export const byScore = (a: RankedHit, b: RankedHit): number =>
  // Subtraction would allocate a heap number per comparison.
  a.score === b.score ? a.slot - b.slot : a.score < b.score ? 1 : -1

/** Returns a hit with at most the score and the confidence of another one. */
export const cappedAt = <H extends Scores>(hit: H, { score, confidence }: Scores): H => ({
  ...hit,
  score: Math.min(hit.score, score),
  confidence: Math.min(hit.confidence, confidence),
})

/** Returns the end of the run of near-equal scores that begins at `from`. */
export function nearEqual(ranked: readonly RankedHit[], from: number): number {
  const least = (ranked[from]?.score ?? 0) * (1 - TIE_MARGIN)
  let end = from + 1
  while (end < ranked.length && (ranked[end]?.score ?? 0) >= least) end++
  return end
}

/**
 * Orders each run of near-equal scores by the balance of votes. Scores are capped so that they
 * never rise along the list.
 */
export function breakTies(ranked: readonly ViewedHit[]): ViewedHit[] {
  const settled: ViewedHit[] = []
  for (let i = 0; i < ranked.length; ) {
    const end = nearEqual(ranked, i)
    const run = ranked.slice(i, end).sort(byVotes)
    let ceiling = Number.POSITIVE_INFINITY
    for (const hit of run) {
      ceiling = Math.min(ceiling, hit.score)
      settled.push(ceiling < hit.score ? { ...hit, score: ceiling } : hit)
    }
    i = end
  }
  return settled
}

const byVotes = (a: ViewedHit, b: ViewedHit) =>
  b.view.voteBalance - a.view.voteBalance || b.score - a.score || (a.view.id < b.view.id ? -1 : 1)
