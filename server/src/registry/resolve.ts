import { behindOriginals, type ResolveHit } from '../search/index.ts'
import type { RegistryContext } from './context.ts'
import { rerank } from './embeddings/rerank.ts'
import type { Verdict } from './lint/judge.ts'
import { copyOf, skillItem } from './serialize/present.ts'
import { demotion, voteTrust } from './votes/trust.ts'

export interface ResolveQuery {
  task: string
  limit: number
  threshold: number
  /** The gravest verdict of a hit; any without it. */
  verdict?: Verdict | 'any' | undefined
}

/**
 * Ranks the skills for a task (registry spec §4; the ranking is told in docs/ranking.md).
 * `confidence` is absolute. Votes order what fits equally well, and those that are clearly against a
 * skill lower it (docs/trust.md); stars order nothing, and nothing lifts what does not fit. Meaning,
 * where it is to be had, orders the best again (docs/embeddings.md). A near-copy stands behind its
 * original.
 */
export async function resolveTask(ctx: RegistryContext, query: ResolveQuery) {
  const byWords = await rank(ctx, query)
  if (!ctx.embeddings || byWords.matched < 2) return byWords
  const deeper = (limit: number) => rank(ctx, { ...query, limit })
  const settle = (hits: Hit[]) => behind(ctx, hits)
  return (await rerank(ctx, ctx.embeddings, query, deeper, settle)) ?? byWords
}

type Hit = ReturnType<typeof present>[number]

/** Near-copies behind their originals, where another order than that of the numbers may part them. */
function behind({ catalogue }: RegistryContext, hits: readonly Hit[]): readonly Hit[] {
  return behindOriginals(
    hits,
    ({ skill }) => catalogue.slotOf(skill.id),
    ({ skill }) => catalogue.originalsOf(catalogue.slotOf(skill.id) ?? -1),
    ({ skill }, than) => catalogue.isOlder(catalogue.slotOf(skill.id) ?? -1, than ?? -1),
  )
}

/** The answer by words. */
async function rank(ctx: RegistryContext, { task, limit, threshold, verdict }: ResolveQuery) {
  const { catalogue } = ctx
  const now = ctx.clock.now()
  const { hits, tokenWeights, matched } = await catalogue.index.resolveAside(task, {
    limit,
    threshold,
    prior: (slot) => voteTrust(catalogue.votesAt(slot), now),
    demotion: (slot) => demotion(catalogue.votesAt(slot), now),
    ...(verdict !== undefined &&
      verdict !== 'any' && {
        isEligible: (slot: number) => catalogue.isAtMost(slot, verdict),
      }),
    originalsOf: catalogue.originalsOf,
    isOlder: catalogue.isOlder,
    order: catalogue.compareIds,
    onRanked: (by) => ctx.metrics.rankings.inc({ by }),
  })
  return { data: present(ctx, hits), tokenWeights, matched, threshold, query: task }
}

/** The best hits as the contract shows them; near-copies name their original. */
function present(ctx: RegistryContext, hits: readonly ResolveHit[]) {
  const { catalogue } = ctx
  const best = hits[0]?.score ?? 0
  return hits.flatMap(({ slot, score, confidence, explanation }) => {
    const card = catalogue.atSlot(slot)
    if (!card) return []
    const skill = skillItem(ctx, card)
    return {
      skill,
      score,
      confidence,
      relativeScore: best > 0 ? Math.min(1, Math.max(0, score / best)) : 0,
      fetchUrl: skill.fetchUrl,
      explanation,
      copyOf: copyOf(ctx, card.id),
    }
  })
}
