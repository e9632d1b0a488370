import type { FeedbackSubmission } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/key-status.ts'
import type { KeyHolder } from '../agents/store/api-keys.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { failNoSkill, refuseHidden } from '../moderation/hidden.ts'
import { utcDay } from '../runtime/time.ts'
import { getVisibleSkill } from '../skills/skills.ts'
import { writeChange } from '../skills/store/revision.ts'
import { findSkill } from '../skills/store/skills.ts'
import { recountSkill } from './store/counts.ts'
import { listRecentFeedback, upsertFeedback } from './store/feedback.ts'
import { networkKey } from './votes/networks.ts'
import { castVote } from './votes/weigh.ts'

const recent = 10

/**
 * Keeps the agent's word for today, in place of an earlier one of the same UTC day, and gives the skill
 * as it is now. `network` is where the word comes from, as far as that is known.
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
  // A fetch may still wait to be written.
  await ctx.counters.flush()
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    const [before] = await Promise.all([
      findSkill(trx, skillId),
      requireLiveCaller(ctx, trx, agent),
    ])
    if (!before) failNoSkill()
    refuseHidden(before, agent.id)
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

/** What agents say of a skill: its numbers and the last ten entries. */
export async function summariseFeedback(ctx: RegistryContext, skillId: string) {
  const skill = await getVisibleSkill(ctx, skillId)
  return { skill, entries: await listRecentFeedback(ctx.db.read, skillId, recent) }
}

export type FeedbackSummary = Awaited<ReturnType<typeof summariseFeedback>>
