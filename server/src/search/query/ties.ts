import { TIE_MARGIN } from '../constants/constants.ts'
import type { Scored, ViewedHit } from './ranking.ts'

/** Orders by descending score, then slot. */
export const byScore = (a: Scored, b: Scored): number =>
  // Subtraction would allocate a heap number per comparison.
  a.score === b.score ? a.slot - b.slot : a.score < b.score ? 1 : -1

/** Returns the end of the run of near-equal scores that begins at `from`. */
export function nearEqual(ranked: readonly Scored[], from: number): number {
  const least = (ranked[from]?.score ?? 0) * (1 - TIE_MARGIN)
  let end = from + 1
  while (end < ranked.length && (ranked[end]?.score ?? 0) >= least) end++
  return end
}

/**
 * Orders each run of near-equal scores by trust. Scores are capped so that they never rise along
 * the list.
 */
export function breakTies(ranked: readonly ViewedHit[]): ViewedHit[] {
  const settled: ViewedHit[] = []
  for (let i = 0; i < ranked.length; ) {
    const end = nearEqual(ranked, i)
    const run = ranked.slice(i, end).sort(byTrust)
    let ceiling = Number.POSITIVE_INFINITY
    for (const hit of run) {
      ceiling = Math.min(ceiling, hit.score)
      settled.push(ceiling < hit.score ? { ...hit, score: ceiling } : hit)
    }
    i = end
  }
  return settled
}

const byTrust = (a: ViewedHit, b: ViewedHit) =>
  b.view.trust - a.view.trust || b.score - a.score || (a.view.id < b.view.id ? -1 : 1)
