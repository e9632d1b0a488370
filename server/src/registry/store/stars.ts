import type { Db } from '../../db/open.ts'

/** Counts after a star came or went. */
export interface StarCounts {
  starCount: number
  repositoryStarCount: number
}

interface StarTarget {
  skillId: string
  agentId: string
  repositoryId: string
}

/** Stars a skill; false when the agent already did. */
export async function insertStar(trx: Db, star: StarTarget, now: number): Promise<boolean> {
  const row = await trx
    .insertInto('stars')
    .values({
      skill_id: star.skillId,
      agent_id: star.agentId,
      repository_id: star.repositoryId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doNothing())
    .returning('skill_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a star back; false when there was none. */
export async function deleteStar(trx: Db, star: StarTarget): Promise<boolean> {
  const row = await trx
    .deleteFrom('stars')
    .where('skill_id', '=', star.skillId)
    .where('agent_id', '=', star.agentId)
    .returning('skill_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the agent stars another skill of the same repository. */
export async function starsElsewhere(trx: Db, star: StarTarget): Promise<boolean> {
  const row = await trx
    .selectFrom('stars')
    .select('skill_id')
    .where('repository_id', '=', star.repositoryId)
    .where('agent_id', '=', star.agentId)
    .where('skill_id', '<>', star.skillId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds to the star counts of a skill and of its repository, and gives the new ones. */
export async function addStars(
  trx: Db,
  target: { skillId: string; repositoryId: string; revision: number },
  add: { skill: number; repository: number },
): Promise<StarCounts> {
  const skill = await trx
    .updateTable('skills')
    .set((eb) => ({
      star_count: eb('star_count', '+', add.skill),
      revision: target.revision,
    }))
    .where('id', '=', target.skillId)
    .returning('star_count')
    .executeTakeFirstOrThrow()
  const repository = await trx
    .updateTable('repositories')
    .set((eb) => ({ star_count: eb('star_count', '+', add.repository) }))
    .where('id', '=', target.repositoryId)
    .returning('star_count')
    .executeTakeFirstOrThrow()
  return { starCount: skill.star_count, repositoryStarCount: repository.star_count }
}

/** Removes every star of a skill and gives the repository's new count of distinct agents. */
export async function deleteStarsOfSkill(
  trx: Db,
  skillId: string,
  repositoryId: string,
): Promise<number> {
  await trx.deleteFrom('stars').where('skill_id', '=', skillId).execute()
  const row = await trx
    .updateTable('repositories')
    .set((eb) => ({
      star_count: eb(
        'upstream_stars',
        '+',
        eb
          .selectFrom('stars')
          .select((inner) => inner.fn.count<number>('agent_id').distinct().as('count'))
          .where('stars.repository_id', '=', repositoryId),
      ),
    }))
    .where('id', '=', repositoryId)
    .returning('star_count')
    .executeTakeFirstOrThrow()
  return row.star_count
}
