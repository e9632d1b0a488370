import type { FeedbackSubmission } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { getVisibleSkill, requireSkill } from '../catalogue/require-skill.ts'
import { helpfulRate } from '../catalogue/serialize.ts'
import { isoTime, utcDay } from '../runtime/time.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { networkKey } from '../store/agents/networks.ts'
import { recountSkill } from '../store/registry/counts.ts'
import { writeChange } from '../store/registry/revision.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { findSkill } from '../store/registry/skills.ts'
import { listRecentFeedback, upsertFeedback } from '../store/registry/votes.ts'
import { castVote } from './weigh.ts'

const recentEntries = 10

/**
 * Stores an agent's feedback, which replaces its entry of the same UTC day
 * (spec/registry.md#feedback). Returns the updated skill. `network` is the client's network, if
 * known.
 */
export async function submitFeedback(
  ctx: RegistryContext,
  agent: KeyHolder,
  skillId: string,
  { task, helpful, context }: z.output<typeof FeedbackSubmission>,
  network?: string,
) {
  const now = ctx.clock.now()
  const castNetwork = await networkKey(ctx.db.read, network)
  // A vote counts only if a fetch is recorded, so write pending fetches first.
  await ctx.counters.flush()
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, agent)
    const before = await requireSkill(ctx, trx, agent, skillId)
    const { version, repository } = before
    const key = { skillId, agentId: agent.id, day: utcDay(now) }
    await upsertFeedback(trx, key, { task, helpful, context: context ?? null, version, now })
    await castVote(trx, { skill: before, agentId: agent.id, helpful, castNetwork, now })
    await recountSkill(trx, { skillId, repositoryId: repository.id, revision })
    return (await findSkill(trx, skillId)) ?? before
  })
  ctx.catalogue.put(skill)
  return skill
}

/** Returns a skill and its ten latest feedback entries. */
export async function summarizeFeedback(ctx: RegistryContext, skillId: string) {
  const skill = await getVisibleSkill(ctx, skillId)
  return { skill, entries: await listRecentFeedback(ctx.db.read, skillId, recentEntries) }
}

export type FeedbackSummary = Awaited<ReturnType<typeof summarizeFeedback>>

export const serializeFeedbackStats = (skill: SkillRecord) => ({
  helpfulRate: helpfulRate(skill),
  totalFeedback: skill.feedbackCount,
})

export const serializeFeedback = ({ skill, entries }: FeedbackSummary) => ({
  ...serializeFeedbackStats(skill),
  recentFeedback: entries.map((entry) => ({ ...entry, createdAt: isoTime(entry.createdAt) })),
})
