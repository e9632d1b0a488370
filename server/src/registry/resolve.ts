import type { ResolveHit } from '../search/index.ts'
import type { JudgedSlot } from './catalogue/catalogue.ts'
import type { RegistryContext } from './context.ts'
import type { Verdict } from './lint/judge.ts'
import { isHeld } from './moderation/held.ts'
import type { SkillRecord } from './store/skill-record.ts'
import { demotion, voteTrust } from './votes/trust.ts'

interface ResolveQuery {
  task: string
  limit: number
  threshold: number
  /** The gravest verdict of a hit; any without it. */
  verdict?: Verdict | 'any' | undefined
}

/**
 * Ranks the skills for a task (registry spec §4; the ranking is described in docs/search/ranking.md).
 * `confidence` is absolute. Votes order what fits equally well, and those that are clearly against a
 * skill lower it (docs/trust.md); stars order nothing, and nothing lifts what does not fit. A
 * near-copy stands behind its original.
 */
export async function resolveTask(
  ctx: RegistryContext,
  { task, limit, threshold, verdict }: ResolveQuery,
) {
  const { catalogue } = ctx
  const now = ctx.clock.now()
  const { hits, tokenWeights, matched } = await catalogue.index.resolveAside(task, {
    limit,
    threshold,
    prior: (slot) => voteTrust(catalogue.votesAt(slot), now),
    demotion: (slot) => demotion(catalogue.votesAt(slot), now),
    ...eligibility(ctx, verdict),
    originalsOf: catalogue.originalsOf,
    isOlder: catalogue.isOlder,
    order: catalogue.compareIds,
    signal: ctx.signal,
    onRanked: (by) => ctx.metrics.rankings.inc({ by }),
  })
  return { data: withSkills(ctx, hits), tokenWeights, matched, threshold, query: task }
}

export type ResolvedSkills = Awaited<ReturnType<typeof resolveTask>>

/** A skill that was found for a task, and what it is a near-copy of. */
interface FoundSkill extends Pick<ResolveHit, 'slot' | 'score' | 'confidence' | 'explanation'> {
  readonly skill: SkillRecord
  readonly relativeScore: number
  readonly original: SkillRecord | undefined
}

/** What may be a hit: no skill of a graver verdict, and none in quarantine. */
function eligibility({ catalogue, config }: RegistryContext, verdict: ResolveQuery['verdict']) {
  const most = verdict === 'any' ? undefined : verdict
  const isQuarantined = (judged: JudgedSlot) => isHeld(config, judged)
  if (config.quarantine.rules.size === 0) {
    return most && { isEligible: (slot: number) => catalogue.isAtMost(slot, most) }
  }
  return {
    isEligible: (slot: number) =>
      catalogue.isFree(slot, isQuarantined) && (!most || catalogue.isAtMost(slot, most)),
  }
}

/** The best hits with their skills. */
function withSkills({ catalogue }: RegistryContext, hits: readonly ResolveHit[]): FoundSkill[] {
  const best = hits[0]?.score ?? 0
  return hits.flatMap(({ slot, score, confidence, explanation }) => {
    const skill = catalogue.atSlot(slot)
    if (!skill) return []
    const relativeScore = best > 0 ? Math.min(1, Math.max(0, score / best)) : 0
    const original = catalogue.originalOf(skill.id)
    return { skill, slot, score, confidence, relativeScore, explanation, original }
  })
}
