import { behindOriginals } from './behind-originals.ts'
import { demote } from './demote.ts'
import { explain } from './explanation.ts'
import type { ResolveHit, ResolveOptions } from './rank.ts'
import type { RankedHit, Ranking } from './ranked.ts'
import { byScore, settleTies } from './ties.ts'

/** What resolve answers. */
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

/** What is answered to a task: its ranking by words as trust orders and votes lower it now. */
export function answer(ranked: Ranking, options: ResolveOptions): ResolveResult {
  const { query, matching } = ranked
  const { isEligible } = options
  const standing = isEligible
    ? ranked.standing.filter(({ slot }) => isEligible(slot))
    : ranked.standing
  const shown = settle(standing, options)
  const reached = reaching(shown, options)
  const hits = shown.slice(0, Math.min(options.limit, reached)).map((hit) => {
    const { slot, score, confidence } = hit
    const { sections, headIdf } = ranked.backgroundOf(slot)
    return { slot, score, confidence, explanation: explain(query, sections, headIdf) }
  })
  const matched = options.threshold <= 0 && !isEligible ? matching : reached
  return { hits, matched: Math.max(matched, hits.length), tokenWeights: query.weights }
}

/**
 * Votes, trust and what is a copy of what only lower or reorder: who does not stand without them is not
 * asked about.
 */
function settle(
  standing: readonly RankedHit[],
  { prior, demotion, order, originalsOf, isOlder }: ResolveOptions,
): readonly RankedHit[] {
  const settled = prior ? settleTies(standing, prior, byScore(order)) : standing
  const lowered = demotion ? demote(settled, ({ slot }) => demotion(slot)) : settled
  if (!originalsOf) return lowered
  return behindOriginals(
    lowered,
    ({ slot }) => slot,
    ({ slot }) => originalsOf(slot),
    ({ slot }, than) => isOlder?.(slot, than) ?? false,
  )
}

/** How many, from the first on, reach the threshold. */
function reaching(shown: readonly RankedHit[], { threshold }: ResolveOptions): number {
  const end = shown.findIndex(({ confidence }) => confidence < threshold)
  return end === -1 ? shown.length : end
}
