import type { Db } from '../../db/open.ts'

/** How a skill was found, as feedback tells it. */
export type FeedbackContext = 'resolve' | 'search' | 'direct'

/** One agent's word on a skill for one UTC day. Times are milliseconds since 1970. */
export interface FeedbackEntry {
  task: string
  helpful: boolean
  context: FeedbackContext | null
  createdAt: number
}

interface Key {
  skillId: string
  agentId: string
}

/** Whether the agent's entry of that day says helpful; nothing when there is none. */
export async function findFeedback(
  trx: Db,
  key: Key & { day: string },
): Promise<boolean | undefined> {
  const row = await trx
    .selectFrom('feedback')
    .select('helpful')
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .where('day', '=', key.day)
    .executeTakeFirst()
  return row && row.helpful === 1
}

/** Writes the agent's entry of that day, over an earlier one of the same day. */
export async function upsertFeedback(
  trx: Db,
  key: Key & { day: string },
  entry: { task: string; helpful: boolean; context: FeedbackContext | null; now: number },
): Promise<void> {
  const said = {
    task: entry.task,
    helpful: entry.helpful ? (1 as const) : (0 as const),
    context: entry.context,
    updated_at: entry.now,
  }
  await trx
    .insertInto('feedback')
    .values({
      skill_id: key.skillId,
      agent_id: key.agentId,
      day: key.day,
      created_at: entry.now,
      ...said,
    })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id', 'day']).doUpdateSet(said))
    .execute()
}

/** The last entries, newest first. */
export async function listRecentFeedback(
  db: Db,
  skillId: string,
  limit: number,
): Promise<FeedbackEntry[]> {
  const rows = await db
    .selectFrom('feedback')
    .select(['task', 'helpful', 'context', 'updated_at as createdAt'])
    .where('skill_id', '=', skillId)
    .orderBy('updated_at', 'desc')
    .orderBy('agent_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    task: row.task,
    helpful: row.helpful === 1,
    context: row.context as FeedbackContext | null,
    createdAt: row.createdAt,
  }))
}

/** An agent's latest opinion of a skill. */
export interface Vote {
  helpful: boolean
  votedAt: number
}

/** The agent's latest vote on the skill. */
export async function findVote(trx: Db, key: Key): Promise<Vote | undefined> {
  const row = await trx
    .selectFrom('votes')
    .select(['helpful', 'voted_at as votedAt'])
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return row && { helpful: row.helpful === 1, votedAt: row.votedAt }
}

/** Writes the agent's latest vote. */
export async function upsertVote(trx: Db, key: Key, vote: Vote): Promise<void> {
  const said = { helpful: vote.helpful ? (1 as const) : (0 as const), voted_at: vote.votedAt }
  await trx
    .insertInto('votes')
    .values({ skill_id: key.skillId, agent_id: key.agentId, ...said })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doUpdateSet(said))
    .execute()
}

/** Numbers of a skill that feedback moves. */
export interface FeedbackCounts {
  feedbackCount: number
  helpfulCount: number
  helpfulWeight: number
  unhelpfulWeight: number
}

/** Sets them. */
export async function setFeedbackCounts(
  trx: Db,
  skillId: string,
  counts: FeedbackCounts,
  revision: number,
): Promise<void> {
  await trx
    .updateTable('skills')
    .set({
      feedback_count: counts.feedbackCount,
      helpful_count: counts.helpfulCount,
      helpful_weight: counts.helpfulWeight,
      unhelpful_weight: counts.unhelpfulWeight,
      revision,
    })
    .where('id', '=', skillId)
    .execute()
}
