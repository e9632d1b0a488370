import { type Db, toRow } from '../../db/query.ts'

/** How the agent found the skill. */
type FeedbackContext = 'resolve' | 'search' | 'direct'

interface Key {
  skillId: string
  agentId: string
}

/** Stores an agent's entry. Replaces its entry of the same day. */
export async function upsertFeedback(
  trx: Db,
  key: Key & { day: string },
  entry: {
    task: string
    helpful: boolean
    context: FeedbackContext | null
    version: number
    now: number
  },
): Promise<void> {
  const { helpful, now: updated_at, ...given } = entry
  const values = { ...given, helpful: helpful ? (1 as const) : (0 as const), updated_at }
  await trx
    .insertInto('feedback')
    .values({ ...toRow(key, ['skillId', 'agentId', 'day']), created_at: entry.now, ...values })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id', 'day']).doUpdateSet(values))
    .execute()
}

/** Lists the latest entries, newest first, without those of blocked agents. */
export async function listRecentFeedback(db: Db, skillId: string, limit: number) {
  const rows = await db
    .selectFrom('feedback')
    .innerJoin('agents', 'agents.id', 'feedback.agent_id')
    .select(['task', 'helpful', 'context', 'feedback.updated_at as createdAt'])
    .where('skill_id', '=', skillId)
    .where('agents.blocked_at', 'is', null)
    .orderBy('feedback.updated_at', 'desc')
    .orderBy('agent_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...row,
    helpful: row.helpful === 1,
    context: row.context as FeedbackContext | null,
  }))
}

/** Deletes all entries of an agent on a skill. Returns their number. */
export async function deleteFeedback(trx: Db, key: Key): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('feedback')
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
