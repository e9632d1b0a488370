import type { Db } from '../../db/open.ts'

/** One reader of one skill on one UTC day. */
export interface Fetch {
  skillId: string
  /** A hash of the client's address. */
  reader: string
  day: string
}

/** Keeps a reader of a day; false when the reader was counted before. */
export async function insertFetch(trx: Db, fetch: Fetch): Promise<boolean> {
  const row = await trx
    .insertInto('fetches')
    .values({ skill_id: fetch.skillId, reader: fetch.reader, day: fetch.day })
    .onConflict((conflict) => conflict.columns(['day', 'skill_id', 'reader']).doNothing())
    .returning('skill_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Adds readers to a skill and to its repository. */
export async function addFetches(
  trx: Db,
  skillId: string,
  readers: number,
  revision: number,
): Promise<void> {
  const skill = await trx
    .updateTable('skills')
    .set((eb) => ({ fetch_count: eb('fetch_count', '+', readers), revision }))
    .where('id', '=', skillId)
    .where('deleted_at', 'is', null)
    .returning('repository_id')
    .executeTakeFirst()
  if (!skill) return
  await trx
    .updateTable('repositories')
    .set((eb) => ({ download_count: eb('download_count', '+', readers) }))
    .where('id', '=', skill.repository_id)
    .execute()
}

/** Forgets the readers of days before `day`; their counts stay. */
export async function purgeFetches(trx: Db, day: string): Promise<void> {
  await trx.deleteFrom('fetches').where('day', '<', day).execute()
}
