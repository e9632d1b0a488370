import type { Verdict } from '../moderation/lint/types.ts'
import type { ResolveHit, SkillView } from '../search/index.ts'
import { demotion, voteTrust } from '../trust/votes/trust.ts'
import type { RegistryContext } from './context.ts'
import { isHeld, isVerdictAtMost } from './quarantine.ts'

interface ResolveQuery {
  task: string
  limit: number
  threshold: number
  /** Most serious verdict of a hit. No limit if undefined. */
  verdict?: Verdict | 'any' | undefined
  /** Owner and repository of the hits, case-insensitive. No limit if undefined. */
  owner?: string | undefined
  repo?: string | undefined
}

/**
 * Ranks the skills for a task (spec/registry.md#resolve). Votes order hits with near-equal scores
 * and lower skills that are clearly unhelpful. Near-copies rank behind their originals. Stars do
 * not count.
 */
export function resolveTask(
  ctx: RegistryContext,
  { task, limit, threshold, verdict, ...scope }: ResolveQuery,
) {
  ctx.signal?.throwIfAborted()
  const { index } = ctx.catalogue
  const ranking = index.rank(task, { limit, threshold })
  const maxVerdict = verdict === 'any' ? undefined : verdict
  const now = ctx.clock.now()
  const views = ranking.hits.map(({ slot }) => viewOf(ctx, slot, { maxVerdict, ...scope }, now))
  const isFiltered =
    maxVerdict !== undefined || scope.owner !== undefined || ctx.config.quarantine.rules.size > 0
  const { hits, tokenWeights, matched } = index.answer(ranking, views, isFiltered)
  return { data: withSkills(ctx, hits), tokenWeights, matched, threshold, query: task }
}

export type ResolvedSkills = ReturnType<typeof resolveTask>

/** Whether a name is the wanted one, in any case. Every name is, if none is wanted. */
export const isNamed = (name: string, wanted: string | undefined): boolean =>
  wanted === undefined || name.toLowerCase() === wanted.toLowerCase()

/** Returns the ranking inputs of a skill that the index does not store. */
function viewOf(
  { catalogue, config }: RegistryContext,
  slot: number,
  filter: Pick<ResolveQuery, 'owner' | 'repo'> & { maxVerdict: Verdict | undefined },
  now: number,
): SkillView {
  const { maxVerdict, owner, repo } = filter
  const skill = catalogue.atSlot(slot)
  if (!skill) throw new RangeError(`the catalogue has no skill in slot ${slot}`)
  const isTooSerious = maxVerdict !== undefined && !isVerdictAtMost(skill, maxVerdict)
  const { repository } = skill
  const isInScope = isNamed(repository.owner, owner) && isNamed(repository.name, repo)
  return {
    id: skill.id,
    createdAt: skill.createdAt,
    trust: voteTrust(skill, now),
    demotion: demotion(skill, now),
    isEligible: isInScope && !isTooSerious && !isHeld(config, skill),
    originals: catalogue.originalsOf(slot).map((original) => {
      return { slot: original, createdAt: catalogue.atSlot(original)?.createdAt ?? 0 }
    }),
  }
}

/** Adds to each hit its skill, and the original if it is a near-copy. */
function withSkills({ catalogue }: RegistryContext, hits: readonly ResolveHit[]) {
  const best = hits[0]?.score ?? 0
  return hits.flatMap(({ slot, score, confidence, explanation }) => {
    const skill = catalogue.atSlot(slot)
    if (!skill) return []
    const relativeScore = best > 0 ? Math.min(1, Math.max(0, score / best)) : 0
    const original = catalogue.originalOf(skill.id)
    return { skill, score, confidence, relativeScore, explanation, original }
  })
}
