import { demote } from './demote.ts'
import { explain } from './explanation.ts'
import type { Resolution } from './index.ts'
import type { ResolveOptions } from './rank.ts'
import type { Ranked, Standing } from './ranked.ts'
import { byScore, settleTies } from './ties.ts'

/** What is answered to a task: its ranking by words as trust orders and votes lower it now. */
export function answer(ranked: Ranked, options: ResolveOptions): Resolution {
  const { query, standing, matching } = ranked
  const shown = settle(standing, options)
  const reached = reaching(shown, options)
  const hits = shown.slice(0, Math.min(options.limit, reached)).map((hit) => {
    const { slot, score, confidence } = hit
    const { sections, headIdf, copies } = ranked.backgroundOf(slot)
    return { slot, score, confidence, explanation: explain(query, sections, headIdf), copies }
  })
  const matched = options.threshold <= 0 ? matching : reached
  return { hits, matched: Math.max(matched, hits.length), tokenWeights: query.weights }
}

/** Votes and trust only lower or reorder: who does not stand without them is not asked about. */
function settle(
  standing: readonly Standing[],
  { prior, demotion, order }: ResolveOptions,
): readonly Standing[] {
  const settled = prior ? settleTies(standing, prior, byScore(order)) : standing
  return demotion ? demote(settled, ({ slot }) => demotion(slot)) : settled
}

/** How many, from the first on, reach the threshold. */
function reaching(shown: readonly Standing[], { threshold }: ResolveOptions): number {
  const end = shown.findIndex(({ confidence }) => confidence < threshold)
  return end === -1 ? shown.length : end
}
