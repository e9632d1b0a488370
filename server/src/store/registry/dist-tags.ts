import type { Db } from '../../db/query.ts'

/** Lists the dist-tags of a skill with the versions that they name. */
export const listDistTags = (db: Db, skillId: string) =>
  db
    .selectFrom('dist_tags')
    .select(['tag', 'version'])
    .where('skill_id', '=', skillId)
    .orderBy('tag')
    .execute()

export const upsertDistTag = (trx: Db, skillId: string, tag: string, version: number) =>
  trx
    .insertInto('dist_tags')
    .values({ skill_id: skillId, tag, version })
    .onConflict((conflict) => conflict.columns(['skill_id', 'tag']).doUpdateSet({ version }))
    .execute()

export const deleteDistTag = (trx: Db, skillId: string, tag: string) =>
  trx
    .deleteFrom('dist_tags')
    .where((eb) => eb.and({ skill_id: skillId, tag }))
    .execute()
