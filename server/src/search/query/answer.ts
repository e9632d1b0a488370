import { behindOriginals } from './behind-originals.ts'
import { demote } from './demote.ts'
import { type Explanation, explain } from './explanation.ts'
import type { RankedHit, Ranking, SkillView, ViewedHit } from './ranking.ts'
import { breakTies } from './ties.ts'

export interface ResolveHit {
  slot: number
  /** Ranking score, comparable within one result only. */
  score: number
  /** Probability that the skill serves the task, comparable between tasks. */
  confidence: number
  explanation: Explanation
}

export interface ResolveResult {
  /** Best first, at most `limit`, each at or above the threshold. */
  hits: ResolveHit[]
  /**
   * Weights of the query terms as written, in lower case: IDF times emphasis. Shared between
   * results, so do not modify.
   */
  tokenWeights: Readonly<Record<string, number>>
  /**
   * Skills that reach the threshold, before the limit: at most `MAX_CANDIDATES`, unless the
   * threshold is 0.
   */
  matched: number
}

/** Applies votes, ties and originals to a ranking, then cuts and explains it. */
export function answer(
  { query, hits: ranked, matchCount, limit, threshold }: Ranking,
  views: readonly SkillView[] | undefined,
  isFiltered: boolean,
  sectionsOf: (slot: number) => Uint16Array,
): ResolveResult {
  const settled = views ? applyViews(ranked, views) : ranked
  const end = settled.findIndex(({ confidence }) => confidence < threshold)
  const reached = end === -1 ? settled.length : end
  const hits = settled.slice(0, Math.min(limit, reached)).map((hit) => {
    const { slot, score, confidence, headIdf, sections = sectionsOf(slot) } = hit
    return { slot, score, confidence, explanation: explain(query, sections, headIdf) }
  })
  const matched = threshold <= 0 && !isFiltered ? matchCount : reached
  return { hits, matched: Math.max(matched, hits.length), tokenWeights: query.weights }
}

/** Applies the views. They only reorder or lower hits. */
function applyViews(ranked: readonly RankedHit[], views: readonly SkillView[]): ViewedHit[] {
  const eligible = ranked.flatMap((hit, i) => {
    const view = views[i]
    return view?.isEligible ? { ...hit, view } : []
  })
  return behindOriginals(demote(breakTies(eligible)))
}
