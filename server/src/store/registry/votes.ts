import { columnsOf, type Db, type Fields, hasRow, toRow } from '../../db/query.ts'

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
    .where((eb) => eb.and({ skill_id: key.skillId, agent_id: key.agentId }))
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
    .where((eb) => eb.and({ skill_id: skillId, 'agents.blocked_at': null }))
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
    .where((eb) => eb.and({ skill_id: key.skillId, agent_id: key.agentId }))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Stores a star. Returns false if the agent has already starred the skill. `network` is a key,
 * empty if unknown.
 */
export const insertStar = (trx: Db, star: Fields<'stars'>) =>
  hasRow(
    trx
      .insertInto('stars')
      .values(toRow(star, starFields))
      .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doNothing())
      .returning('skill_id'),
  )

const starFields = [
  ...(['skillId', 'agentId', 'repositoryId', 'createdAt'] as const),
  ...(['counted', 'network', 'version'] as const),
] as const

/** Deletes a star. Returns whether one existed. */
export const deleteStar = (trx: Db, star: Pick<Fields<'stars'>, 'skillId' | 'agentId'>) =>
  hasRow(
    trx
      .deleteFrom('stars')
      .where((eb) => eb.and({ skill_id: star.skillId, agent_id: star.agentId }))
      .returning('skill_id'),
  )

export const deleteStarsOfSkill = (trx: Db, skillId: string) =>
  trx.deleteFrom('stars').where('skill_id', '=', skillId).execute()

export const moveStars = (trx: Db, skillId: string, repositoryId: string) =>
  trx
    .updateTable('stars')
    .set({ repository_id: repositoryId })
    .where('skill_id', '=', skillId)
    .execute()
