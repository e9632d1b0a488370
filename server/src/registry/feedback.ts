import type { FeedbackSubmission } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { helpfulRate, timestamp } from './present.ts'
import { skillCard } from './skills.ts'
import type { AgentRecord } from './store/agents.ts'
import {
  type FeedbackCounts,
  findFeedback,
  findVote,
  listRecentFeedback,
  setFeedbackCounts,
  upsertFeedback,
  upsertVote,
  type Vote,
} from './store/feedback.ts'
import { nextRevision } from './store/revision.ts'
import { findSkill, type SkillRecord } from './store/skills.ts'
import { utcDay } from './tally.ts'
import { voteWeight } from './trust.ts'

const recent = 10

/** Keeps the agent's word for today, in place of an earlier one of the same UTC day. */
export async function submitFeedback(
  ctx: Context,
  agent: AgentRecord,
  skillId: string,
  { task, helpful, context }: Submission,
) {
  const now = ctx.clock.now()
  const skill = await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const before = await findSkill(trx, skillId)
    if (!before) fail('NOT_FOUND', 'There is no skill with this id.')
    const key = { skillId, agentId: agent.id, day: utcDay(now) }
    const earlier = await findFeedback(trx, key)
    await upsertFeedback(trx, key, { task, helpful, context: context ?? null, now })
    const vote = { helpful, votedAt: now }
    const isOwner = before.owner.id === agent.id
    const weights = isOwner ? before : moveVote(before, await findVote(trx, key), vote)
    await upsertVote(trx, key, vote)
    const counts: FeedbackCounts = {
      feedbackCount: before.feedbackCount + (earlier === undefined ? 1 : 0),
      helpfulCount: before.helpfulCount + Number(helpful) - Number(earlier ?? false),
      helpfulWeight: weights.helpfulWeight,
      unhelpfulWeight: weights.unhelpfulWeight,
    }
    await setFeedbackCounts(trx, skillId, counts, revision)
    return { ...before, ...counts, revision }
  })
  ctx.catalogue.put(skill)
  return {
    recorded: true as const,
    stats: { helpfulRate: helpfulRate(skill), totalFeedback: skill.feedbackCount },
  }
}

type Submission = z.output<typeof FeedbackSubmission>

/** The weights after an agent's latest vote took the place of its earlier one. */
function moveVote(
  { helpfulWeight, unhelpfulWeight }: SkillRecord,
  earlier: Vote | undefined,
  vote: Vote,
) {
  const add = (from: number, side: boolean) => {
    const less = earlier?.helpful === side ? voteWeight(earlier.votedAt) : 0
    const more = vote.helpful === side ? voteWeight(vote.votedAt) : 0
    return Math.max(0, from - less + more)
  }
  return {
    helpfulWeight: add(helpfulWeight, true),
    unhelpfulWeight: add(unhelpfulWeight, false),
  }
}

/** What agents say of a skill: the share of helpful entries and the last ten. */
export async function summariseFeedback(ctx: Context, skillId: string) {
  const skill = skillCard(ctx, skillId)
  const entries = await listRecentFeedback(ctx.db.read, skillId, recent)
  return {
    helpfulRate: helpfulRate(skill),
    totalFeedback: skill.feedbackCount,
    recentFeedback: entries.map((entry) => ({ ...entry, createdAt: timestamp(entry.createdAt) })),
  }
}
