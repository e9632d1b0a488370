import type { Context } from '../context.ts'
import { rerank } from './embeddings/rerank.ts'
import { originalsOf } from './originals.ts'
import { skillItem, skillReference } from './present.ts'
import type { ResolveHit } from './resolve/index.ts'
import { demotion, trustScore } from './trust.ts'

export interface ResolveQuery {
  task: string
  limit: number
  threshold: number
}

/**
 * Ranks the skills for a task (registry spec §4; the ranking is told in docs/ranking.md).
 * `confidence` is absolute. Trust and stars only order what fits equally well, and votes that are
 * clearly against a skill lower it (docs/trust.md); nothing lifts what does not fit. Meaning, where it
 * is to be had, orders the best again (docs/embeddings.md).
 */
export async function resolveTask(ctx: Context, query: ResolveQuery) {
  const byWords = await rank(ctx, query)
  if (!ctx.embeddings || byWords.matched < 2) return byWords
  const deeper = (limit: number) => rank(ctx, { ...query, limit })
  return (await rerank(ctx, ctx.embeddings, query, deeper)) ?? byWords
}

/** The answer by words. */
async function rank(ctx: Context, { task, limit, threshold }: ResolveQuery) {
  const { catalogue } = ctx
  const now = ctx.clock.now()
  const prior = (slot: number) => {
    const numbers = catalogue.numbersAt(slot)
    if (!numbers) return 0
    const stars = numbers.starCount + numbers.repository.starCount
    return 0.8 * trustScore(numbers, now) + 0.2 * Math.min(1, Math.log10(1 + stars) / 6)
  }
  const { hits, tokenWeights, matched } = await catalogue.index.resolveAside(task, {
    limit,
    threshold,
    prior,
    demotion: (slot) => {
      const numbers = catalogue.numbersAt(slot)
      return numbers ? demotion(numbers, now) : 1
    },
    order: catalogue.compareIds,
    onRanked: (by) => ctx.metrics.rankings.inc({ by }),
  })
  return { data: present(ctx, hits), tokenWeights, matched, threshold, query: task }
}

/** The best hits as the contract shows them; near-copies name their original. */
function present(ctx: Context, hits: readonly ResolveHit[]) {
  const { catalogue } = ctx
  const now = ctx.clock.now()
  const originOf = (slot: number) => {
    const numbers = catalogue.numbersAt(slot)
    return numbers && { trust: trustScore(numbers, now), createdAt: numbers.createdAt }
  }
  const originals = originalsOf(hits, originOf, catalogue.compareIds)
  const best = hits[0]?.score ?? 0
  return hits.flatMap(({ slot, score, confidence, explanation }) => {
    const card = catalogue.atSlot(slot)
    if (!card) return []
    const skill = skillItem(ctx, card)
    const original = catalogue.atSlot(originals.get(slot) ?? slot)
    return {
      skill,
      score,
      confidence,
      relativeScore: best > 0 ? Math.min(1, Math.max(0, score / best)) : 0,
      fetchUrl: skill.fetchUrl,
      explanation,
      copyOf: original && original.id !== card.id ? skillReference(ctx, original) : null,
    }
  })
}
