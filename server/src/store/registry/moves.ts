import { type Db, type Fields, toRow } from '../../db/query.ts'

/** Records a former address. Replaces the record of an earlier skill at the same address. */
export const insertMove = (trx: Db, move: Fields<'moved_skills'>) =>
  trx
    .insertInto('moved_skills')
    .values(toRow(move, ['repositoryId', 'slug', 'skillId', 'movedAt']))
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'slug']).doUpdateSet(toRow(move, ['skillId', 'movedAt'])),
    )
    .execute()

/**
 * Returns the id of the skill that moved away from an address after `since`, compared
 * case-insensitively. Returns undefined if another skill has used the address since.
 */
export async function findMove(
  db: Db,
  at: { owner: string; repo: string; skill: string },
  since: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('repositories')
    .innerJoin('moved_skills', 'moved_skills.repository_id', 'repositories.id')
    .select('moved_skills.skill_id as skillId')
    .where('repositories.owner_key', '=', at.owner.toLowerCase())
    .where('repositories.name_key', '=', at.repo.toLowerCase())
    .where('moved_skills.slug', '=', at.skill.toLowerCase())
    .where('moved_skills.moved_at', '>', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('skills')
            .select('skills.id')
            .whereRef('skills.repository_id', '=', 'moved_skills.repository_id')
            .whereRef('skills.slug', '=', 'moved_skills.slug')
            .where((eb) =>
              eb.or([
                eb('skills.deleted_at', 'is', null),
                eb('skills.deleted_at', '>=', eb.ref('moved_skills.moved_at')),
              ]),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  return row?.skillId
}

/** Deletes the moves from before `time`. */
export async function purgeMoves(trx: Db, time: number): Promise<void> {
  for (const table of ['moved_skills', 'moved_repositories'] as const) {
    await trx.deleteFrom(table).where('moved_at', '<', time).execute()
  }
}
