import { toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

interface StarTarget {
  skillId: string
  agentId: string
  repositoryId: string
}

/**
 * Stores a star. Returns false if the agent has already starred the skill. `network` is a key,
 * empty if unknown.
 */
export async function insertStar(
  trx: Db,
  star: StarTarget,
  {
    counted,
    network,
    version,
    now,
  }: { counted: boolean; network: string; version: number; now: number },
): Promise<boolean> {
  const row = await trx
    .insertInto('stars')
    .values({
      ...toRow(star, ['skillId', 'agentId', 'repositoryId']),
      created_at: now,
      counted: counted ? 1 : 0,
      network,
      version,
    })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doNothing())
    .returning('skill_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a star. Returns whether one existed. */
export async function deleteStar(trx: Db, star: StarTarget): Promise<boolean> {
  const row = await trx
    .deleteFrom('stars')
    .where('skill_id', '=', star.skillId)
    .where('agent_id', '=', star.agentId)
    .returning('skill_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteStarsOfSkill(trx: Db, skillId: string): Promise<void> {
  await trx.deleteFrom('stars').where('skill_id', '=', skillId).execute()
}

export async function moveStars(trx: Db, skillId: string, repositoryId: string): Promise<void> {
  await trx
    .updateTable('stars')
    .set({ repository_id: repositoryId })
    .where('skill_id', '=', skillId)
    .execute()
}
