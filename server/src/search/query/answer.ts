import { behindOriginals } from './behind-originals.ts'
import { demote } from './demote.ts'
import { type Explanation, explain } from './explanation.ts'
import type { RankedHit, Ranking, SkillView, ViewedHit } from './ranking.ts'
import { settleTies } from './ties.ts'

export interface ResolveHit {
  slot: number
  /** Ranking score: comparable within one answer only. */
  score: number
  /** Probability from 0 to 1 that the skill serves the task: comparable everywhere. */
  confidence: number
  explanation: Explanation
}

export interface ResolveResult {
  /** Best first, at most `limit`, each with at least the threshold's confidence. */
  hits: ResolveHit[]
  /**
   * Weight that was used, by word of the task as written, in lower case: IDF times emphasis. Read
   * only: the next answer to the same task has the same.
   */
  tokenWeights: Readonly<Record<string, number>>
  /** Skills that reach the threshold, before the limit; at most `MOST_RESCORED`, unless it is 0. */
  matched: number
}

/** The answer to a task: its ranking by words, ordered and lowered by what the registry knows. */
export function answer(
  { query, standing, matching, limit, threshold }: Ranking,
  views: readonly SkillView[] | undefined,
  isFiltered: boolean,
  sectionsOf: (slot: number) => Uint16Array,
): ResolveResult {
  const settled = views ? settle(standing, views) : standing
  const end = settled.findIndex(({ confidence }) => confidence < threshold)
  const reached = end === -1 ? settled.length : end
  const hits = settled.slice(0, Math.min(limit, reached)).map((hit) => {
    const { slot, score, confidence, headIdf, sections = sectionsOf(slot) } = hit
    return { slot, score, confidence, explanation: explain(query, sections, headIdf) }
  })
  const matched = threshold <= 0 && !isFiltered ? matching : reached
  return { hits, matched: Math.max(matched, hits.length), tokenWeights: query.weights }
}

/** Trust, votes and originals only lower or reorder hits. */
function settle(standing: readonly RankedHit[], views: readonly SkillView[]): ViewedHit[] {
  const eligible = standing.flatMap((hit, i) => {
    const view = views[i]
    return view?.isEligible ? { ...hit, view } : []
  })
  return behindOriginals(demote(settleTies(eligible)))
}
