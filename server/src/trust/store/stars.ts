import { type Db, hasRow, toRow } from '../../db/query.ts'

interface StarTarget {
  skillId: string
  agentId: string
  repositoryId: string
}

/**
 * Stores a star. Returns false if the agent has already starred the skill. `network` is a key,
 * empty if unknown.
 */
export const insertStar = (
  trx: Db,
  star: StarTarget,
  {
    counted,
    network,
    version,
    now,
  }: { counted: boolean; network: string; version: number; now: number },
) =>
  hasRow(
    trx
      .insertInto('stars')
      .values({
        ...toRow(star, ['skillId', 'agentId', 'repositoryId']),
        created_at: now,
        counted: counted ? 1 : 0,
        network,
        version,
      })
      .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doNothing())
      .returning('skill_id'),
  )

/** Deletes a star. Returns whether one existed. */
export const deleteStar = (trx: Db, star: StarTarget) =>
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
