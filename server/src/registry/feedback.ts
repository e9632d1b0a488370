import type { FeedbackSubmission } from '@skillpass/contract'
import type { z } from 'zod'
import type { Db } from '../db/open.ts'
import { utcDay } from '../runtime/time.ts'
import { refuseEnded } from './access/key-standing.ts'
import type { RegistryContext } from './context.ts'
import { failNoSkill, refuseHidden } from './moderation/hidden.ts'
import { shownSkill } from './skills.ts'
import type { KeyHolder } from './store/api-keys.ts'
import {
  type FeedbackCounts,
  findFeedback,
  listRecentFeedback,
  setFeedbackCounts,
  upsertFeedback,
} from './store/feedback.ts'
import { writeChange } from './store/revision.ts'
import type { SkillRecord } from './store/skill-record.ts'
import { findSkill } from './store/skills.ts'
import { castVote } from './votes/cast.ts'
import { networkKey } from './votes/networks.ts'
import { findVoter } from './votes/weigh.ts'

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
  const voted = await findSkill(ctx.db.read, skillId)
  if (!voted) failNoSkill()
  const castNetwork = await networkKey(ctx.db, network)
  const ballot = { skill: voted, agentId: agent.id, votedAt: now, castNetwork, hadRead: false }
  // Before the transaction, in which all other changes wait.
  const voter = await findVoter(ctx.db.read, ballot, now)
  const voterOn = (trx: Db, skill: SkillRecord) =>
    skill.owner.id === voted.owner.id ? voter : findVoter(trx, { ...ballot, skill }, now)
  const skill = await writeChange(ctx.db, async (trx, revision) => {
    const key = { skillId, agentId: agent.id, day: utcDay(now) }
    const [before, earlier] = await Promise.all([
      findSkill(trx, skillId),
      findFeedback(trx, key),
      refuseEnded(ctx, trx, agent),
    ])
    if (!before) failNoSkill()
    refuseHidden(ctx, before, agent.id)
    const [votes] = await Promise.all([
      castVote(trx, before, helpful, { ballot, voter: await voterOn(trx, before) }),
      upsertFeedback(trx, key, {
        task,
        helpful,
        context: context ?? null,
        version: before.version,
        now,
      }),
    ])
    const counts: FeedbackCounts = {
      feedbackCount: before.feedbackCount + (earlier === undefined ? 1 : 0),
      helpfulCount: before.helpfulCount + Number(helpful) - Number(earlier ?? false),
      ...votes,
    }
    await setFeedbackCounts(trx, skillId, counts, revision)
    return { ...before, ...counts, revision }
  })
  ctx.catalogue.put(skill)
  return skill
}

type Submission = z.output<typeof FeedbackSubmission>

/** What agents say of a skill: its numbers and the last ten entries. */
export async function summariseFeedback(ctx: RegistryContext, skillId: string) {
  const skill = await shownSkill(ctx, skillId)
  return { skill, entries: await listRecentFeedback(ctx.db.read, skillId, recent) }
}

export type FeedbackSummary = Awaited<ReturnType<typeof summariseFeedback>>
