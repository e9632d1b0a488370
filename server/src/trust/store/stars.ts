import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import type { Schema } from '../../db/schema.ts'
import { isShown } from '../../skills/store/revision.ts'

interface StarTarget {
  skillId: string
  agentId: string
  repositoryId: string
}

/** Stars a skill from a network (a key, empty where unknown); false when the agent already did. */
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

/** Takes a star back; false when there was none that counted. */
export async function deleteStar(trx: Db, star: StarTarget): Promise<boolean> {
  const row = await trx
    .deleteFrom('stars')
    .where('skill_id', '=', star.skillId)
    .where('agent_id', '=', star.agentId)
    .returning('counted')
    .executeTakeFirst()
  return row?.counted === 1
}

/** Whether another star of the agent, of a skill that readers see, counts for the same repository. */
export async function starsElsewhere(trx: Db, star: StarTarget): Promise<boolean> {
  const row = await trx
    .selectFrom('stars')
    .innerJoin('skills', 'skills.id', 'stars.skill_id')
    .select('stars.skill_id')
    .where('stars.repository_id', '=', star.repositoryId)
    .where('stars.agent_id', '=', star.agentId)
    .where('stars.skill_id', '<>', star.skillId)
    .where('stars.counted', '=', 1)
    .where(isShown)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds to the star counts of a skill and of its repository, and gives the new ones. */
export async function addStars(
  trx: Db,
  target: { skillId: string; repositoryId: string; revision: number },
  add: { skill: number; repository: number },
) {
  const [skill, repository] = await Promise.all([
    trx
      .updateTable('skills')
      .set((eb) => ({
        star_count: eb('star_count', '+', add.skill),
        revision: target.revision,
      }))
      .where('id', '=', target.skillId)
      .returning('star_count')
      .executeTakeFirstOrThrow(),
    trx
      .updateTable('repositories')
      .set((eb) => ({ star_count: eb('star_count', '+', add.repository) }))
      .where('id', '=', target.repositoryId)
      .returning('star_count')
      .executeTakeFirstOrThrow(),
  ])
  return { starCount: skill.star_count, repositoryStarCount: repository.star_count }
}

/** Removes every star of a skill and gives the repository's new count of distinct agents. */
export async function deleteStarsOfSkill(
  trx: Db,
  skillId: string,
  repositoryId: string,
): Promise<number> {
  await trx.deleteFrom('stars').where('skill_id', '=', skillId).execute()
  return recountStars(trx, repositoryId)
}

/** Moves the stars of a skill to another repository; gives both repositories' new counts. */
export async function moveStars(
  trx: Db,
  skillId: string,
  { from, to }: { from: string; to: string },
): Promise<{ from: number; to: number }> {
  await trx
    .updateTable('stars')
    .set({ repository_id: to })
    .where('skill_id', '=', skillId)
    .execute()
  return { from: await recountStars(trx, from), to: await recountStars(trx, to) }
}

/**
 * Counts the agents anew who star a skill of a repository that readers see, without those that are
 * blocked, and gives their number.
 */
export async function recountStars(trx: Db, repositoryId: string): Promise<number> {
  const row = await recountStarsWhere(trx, (eb) => eb('id', '=', repositoryId))
    .returning('star_count')
    .executeTakeFirstOrThrow()
  return row.star_count
}

/** `recountStars` of several repositories. */
export const recountStarsWhere = (
  trx: Db,
  isMeant: (eb: ExpressionBuilder<Schema, 'repositories'>) => Expression<SqlBool>,
) =>
  trx
    .updateTable('repositories')
    .set((eb) => ({
      star_count: eb(
        'upstream_stars',
        '+',
        eb
          .selectFrom('stars')
          .innerJoin('skills', 'skills.id', 'stars.skill_id')
          .innerJoin('agents', 'agents.id', 'stars.agent_id')
          .select((inner) => inner.fn.count<number>('stars.agent_id').distinct().as('count'))
          .whereRef('stars.repository_id', '=', 'repositories.id')
          .where('stars.counted', '=', 1)
          .where(isShown)
          .where('agents.blocked_at', 'is', null),
      ),
    }))
    .where(isMeant)
