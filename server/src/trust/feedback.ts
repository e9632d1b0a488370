import type { FeedbackSubmission } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/key-status.ts'
import type { KeyHolder } from '../agents/store/api-keys.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { requireSkill } from '../moderation/hidden.ts'
import { utcDay } from '../runtime/time.ts'
import { getVisibleSkill } from '../skills/skills.ts'
import { writeChange } from '../skills/store/revision.ts'
import { findSkill } from '../skills/store/skills.ts'
import { recountSkill } from './store/counts.ts'
import { listRecentFeedback, upsertFeedback } from './store/votes.ts'
import { castVote, networkKey } from './votes/weigh.ts'

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
  { task, helpful, context }: Submission,
  network?: string,
) {
  const now = ctx.clock.now()
  const castNetwork = await networkKey(ctx.db, network)
  // A vote counts only if a fetch is recorded, so write pending fetches first.
  await ctx.counters.flush()
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, agent)
    const before = await requireSkill(trx, agent, skillId)
    const { version, repository } = before
    const key = { skillId, agentId: agent.id, day: utcDay(now) }
    await upsertFeedback(trx, key, { task, helpful, context: context ?? null, version, now })
    await castVote(ctx.db, trx, { skill: before, agentId: agent.id, helpful, castNetwork, now })
    await recountSkill(trx, { skillId, repositoryId: repository.id, revision })
    return (await findSkill(trx, skillId)) ?? before
  })
  ctx.catalogue.put(skill)
  return skill
}

type Submission = z.output<typeof FeedbackSubmission>

/** Returns a skill and its ten latest feedback entries. */
export async function summarizeFeedback(ctx: RegistryContext, skillId: string) {
  const skill = await getVisibleSkill(ctx, skillId)
  return { skill, entries: await listRecentFeedback(ctx.db.read, skillId, recentEntries) }
}

export type FeedbackSummary = Awaited<ReturnType<typeof summarizeFeedback>>
