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

/**
 * Multiplies score and confidence of each hit by its demotion, 0 to 1. A lowered hit moves behind
 * every hit that beats it in either number, and its numbers are capped at theirs. Hits with a
 * demotion of 1 keep their numbers and relative order.
 */
function demote(hits: ViewedHit[]): ViewedHit[] {
  const unchanged = hits.filter(({ view }) => view.demotion >= 1)
  if (unchanged.length === hits.length) return hits
  const lowered = hits.map((hit) => (hit.view.demotion >= 1 ? hit : behind(unchanged, hit)))
  lowered.sort(
    (a, b) => b.score - a.score || b.confidence - a.confidence || b.view.demotion - a.view.demotion,
  )
  let ceiling = 1
  return lowered.map((hit) => {
    ceiling = Math.min(ceiling, hit.confidence)
    return ceiling < hit.confidence ? { ...hit, confidence: ceiling } : hit
  })
}

/** Lowers a hit, and caps its numbers at those of the unchanged hits that beat it in either. */
function behind(unchanged: readonly ViewedHit[], hit: ViewedHit): ViewedHit {
  let score = hit.score * hit.view.demotion
  let confidence = hit.confidence * hit.view.demotion
  for (const other of unchanged) {
    if (other.score <= score && other.confidence <= confidence) break
    score = Math.min(score, other.score)
    confidence = Math.min(confidence, other.confidence)
  }
  return { ...hit, score, confidence }
}

/**
 * Moves each near-copy right behind the last of its originals and caps its score and confidence at
 * theirs. A copy whose original is not among the hits goes to the end with score and confidence 0,
 * because the original has the same content and did not match. It keeps its place if that original
 * is younger, so that publishing a skill cannot lower an older one.
 */
function behindOriginals(hits: ViewedHit[]): ViewedHit[] {
  if (hits.every(({ view }) => view.originals.length === 0)) return hits
  const places = new Map(hits.map(({ slot }, place) => [slot, place]))
  const end = hits.length
  const placed = hits.map((hit, rank) => {
    const originalPlaces = hit.view.originals.map(
      ({ slot, createdAt }) => places.get(slot) ?? (hit.view.createdAt < createdAt ? rank : end),
    )
    const place = Math.max(rank, ...originalPlaces)
    if (place === rank) return { hit, place }
    const { score, confidence } = hits[place] ?? { score: 0, confidence: 0 }
    const lowered = {
      score: Math.min(score, hit.score),
      confidence: Math.min(confidence, hit.confidence),
    }
    // Behind the original, which keeps the integer place.
    return { hit: { ...hit, ...lowered }, place: place + 0.5 }
  })
  return placed.sort((a, b) => a.place - b.place).map(({ hit }) => hit)
}
