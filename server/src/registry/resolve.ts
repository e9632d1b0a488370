import type { Context } from '../context.ts'
import { skillItem } from './present.ts'
import { trustScore } from './trust.ts'

export interface ResolveQuery {
  task: string
  limit: number
  threshold: number
}

/**
 * Ranks the skills for a task (registry spec §4; the ranking is told in docs/ranking.md).
 * `confidence` is absolute; trust and stars only break ties.
 */
export function resolveTask(ctx: Context, { task, limit, threshold }: ResolveQuery) {
  const now = ctx.clock.now()
  const prior = (slot: number) => {
    const numbers = ctx.catalogue.numbersAt(slot)
    if (!numbers) return 0
    const stars = numbers.starCount + numbers.repository.starCount
    return 0.8 * trustScore(numbers, now) + 0.2 * Math.min(1, Math.log10(1 + stars) / 6)
  }
  const { hits, tokenWeights, matched } = ctx.catalogue.index.resolve(task, {
    limit,
    threshold,
    prior,
    order: ctx.catalogue.compareIds,
  })
  const best = hits[0]?.score ?? 1
  const data = hits.flatMap(({ slot, score, confidence, explanation: { tokens } }) => {
    const card = ctx.catalogue.atSlot(slot)
    if (!card) return []
    const skill = skillItem(ctx, card)
    const relativeScore = best > 0 ? Math.min(1, Math.max(0, score / best)) : 0
    const explanation = tokens.map(({ token, fields }) => ({ token, fields }))
    return [{ skill, score, confidence, relativeScore, fetchUrl: skill.fetchUrl, explanation }]
  })
  return { data, tokenWeights, matched, threshold, query: task }
}
