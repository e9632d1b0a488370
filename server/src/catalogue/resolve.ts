import type { ResolveHit, SkillView } from '../search/index.ts'
import type { Verdict } from '../store/registry/skill-record.ts'
import type { RegistryContext } from './catalogue.ts'
import { isQuarantined, isVerdictAtMost } from './quarantine.ts'
import { demotion, voteBalance } from './trust.ts'

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
export function resolveTask(ctx: RegistryContext, query: ResolveQuery) {
  ctx.signal?.throwIfAborted()
  const { task, limit, threshold, verdict = 'any', owner } = query
  const now = ctx.clock.now()
  const isFiltered = verdict !== 'any' || owner !== undefined || ctx.config.quarantineRules.size > 0
  const { hits, tokenWeights, matched } = ctx.catalogue.resolve(
    task,
    { limit, threshold, isFiltered },
    (slot) => viewOf(ctx, slot, query, now),
  )
  return { data: withSkills(ctx, hits), tokenWeights, matched, threshold, query: task }
}

export type ResolvedSkills = ReturnType<typeof resolveTask>

/** Whether a name is the wanted one, in any case. Every name is, if none is wanted. */
export const isNamed = (name: string, wanted: string | undefined): boolean =>
  wanted === undefined || name.toLowerCase() === wanted.toLowerCase()

/** The ranking inputs of a skill that the caller may not read. */
export const unread: SkillView = {
  ...{ id: '', createdAt: 0, voteBalance: 0, demotion: 1, originals: [] },
  isEligible: false,
}

/** Returns the ranking inputs of a skill that the index does not store. */
export function viewOf(
  { catalogue, config }: RegistryContext,
  slot: number,
  { verdict = 'any', owner, repo }: Pick<ResolveQuery, 'verdict' | 'owner' | 'repo'>,
  now: number,
): SkillView {
  const skill = catalogue.atSlot(slot)
  if (!skill) return unread
  const { repository } = skill
  const isInScope = isNamed(repository.owner, owner) && isNamed(repository.name, repo)
  return {
    id: skill.id,
    createdAt: skill.createdAt,
    voteBalance: voteBalance(skill, now),
    demotion: demotion(skill, now),
    isEligible: isInScope && isVerdictAtMost(skill, verdict) && !isQuarantined(config, skill),
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
