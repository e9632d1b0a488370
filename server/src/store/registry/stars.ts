import { type Db, type Fields, hasRow, toRow } from '../../db/query.ts'

/**
 * Stores a star. Returns false if the agent has already starred the skill. `network` is a key,
 * empty if unknown.
 */
export const insertStar = (trx: Db, star: Fields<'stars'>) =>
  hasRow(
    trx
      .insertInto('stars')
      .values(toRow(star, fields))
      .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doNothing())
      .returning('skill_id'),
  )

const fields = [
  ...(['skillId', 'agentId', 'repositoryId', 'createdAt'] as const),
  ...(['counted', 'network', 'version'] as const),
] as const

/** Deletes a star. Returns whether one existed. */
export const deleteStar = (trx: Db, star: Pick<Fields<'stars'>, 'skillId' | 'agentId'>) =>
  hasRow(
    trx
      .deleteFrom('stars')
      .where('skill_id', '=', star.skillId)
      .where('agent_id', '=', star.agentId)
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
