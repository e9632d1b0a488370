import type { Verdict } from '../moderation/lint/types.ts'
import type { ResolveHit, SkillView } from '../search/index.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { demotion, voteTrust } from '../trust/votes/trust.ts'
import type { RegistryContext } from './context.ts'
import { isAtMost, isHeld } from './held.ts'

interface ResolveQuery {
  task: string
  limit: number
  threshold: number
  /** The gravest verdict of a hit; any without it. */
  verdict?: Verdict | 'any' | undefined
}

/**
 * Ranks the skills for a task (spec/registry.md#resolve). Votes order hits with near-equal scores and
 * lower skills that are clearly unhelpful. Near-copies rank behind their originals. Stars do not count.
 */
export function resolveTask(
  ctx: RegistryContext,
  { task, limit, threshold, verdict }: ResolveQuery,
) {
  ctx.signal?.throwIfAborted()
  const { index } = ctx.catalogue
  const ranking = index.rank(task, { limit, threshold })
  const most = verdict === 'any' ? undefined : verdict
  const now = ctx.clock.now()
  const views = ranking.hits.map(({ slot }) => viewOf(ctx, slot, most, now))
  const isFiltered = most !== undefined || ctx.config.quarantine.rules.size > 0
  const { hits, tokenWeights, matched } = index.answer(ranking, views, isFiltered)
  return { data: withSkills(ctx, hits), tokenWeights, matched, threshold, query: task }
}

export type ResolvedSkills = ReturnType<typeof resolveTask>

/** A skill that was found for a task, and what it is a near-copy of. */
interface FoundSkill extends Pick<ResolveHit, 'slot' | 'score' | 'confidence' | 'explanation'> {
  readonly skill: SkillRecord
  readonly relativeScore: number
  readonly original: SkillRecord | undefined
}

/** What the engine needs to know of a ranked skill. */
function viewOf(
  { catalogue, config }: RegistryContext,
  slot: number,
  most: Verdict | undefined,
  now: number,
): SkillView {
  const skill = catalogue.atSlot(slot)
  if (!skill) throw new RangeError(`the index holds no skill of the catalogue at ${slot}`)
  const isTooGrave = most !== undefined && !isAtMost(skill, most)
  return {
    id: skill.id,
    createdAt: skill.createdAt,
    trust: voteTrust(skill, now),
    demotion: demotion(skill, now),
    isEligible: !isTooGrave && !isHeld(config, skill),
    originals: catalogue.originalsOf(slot).map((original) => {
      return { slot: original, createdAt: catalogue.atSlot(original)?.createdAt ?? 0 }
    }),
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
