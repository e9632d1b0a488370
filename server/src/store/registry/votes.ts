import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'

const fields = ['votedAt', 'weight', 'network', 'castNetwork', 'version'] as const

/** An agent's latest vote on a skill. Networks are keys, empty if unknown. */
type Vote = Pick<Fields<'votes'>, (typeof fields)[number]> & { helpful: boolean }

interface Key {
  skillId: string
  agentId: string
}

export async function findVote(trx: Db, key: Key): Promise<Vote | undefined> {
  const row = await trx
    .selectFrom('votes')
    .select(columnsOf('votes', fields))
    .select('helpful')
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return row && { ...row, helpful: row.helpful === 1 }
}

export async function upsertVote(trx: Db, key: Key, vote: Vote): Promise<void> {
  const values = { ...toRow(vote, fields), helpful: vote.helpful ? (1 as const) : (0 as const) }
  await trx
    .insertInto('votes')
    .values({ skill_id: key.skillId, agent_id: key.agentId, ...values })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doUpdateSet(values))
    .execute()
}

/** How the agent found the skill. */
type FeedbackContext = 'resolve' | 'search' | 'direct'

/** Stores an agent's entry. Replaces its entry of the same day. */
export async function upsertFeedback(
  trx: Db,
  key: Key & { day: string },
  entry: Pick<Fields<'feedback'>, 'task' | 'context' | 'version'> &
    Pick<Vote, 'helpful'> & { now: number },
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

/** Deletes an agent's vote or all its feedback on a skill. Returns the number of rows. */
export async function deleteJudgements(trx: Db, table: 'votes' | 'feedback', key: Key) {
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
