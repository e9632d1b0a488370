import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'
import { isShown } from '../../skills/store/revision.ts'

/** A reader of a skill on a UTC day, identified by a hash of its address or by its network. */
export type Fetch = Fields<'fetches'>

const fields = ['skillId', 'reader', 'day'] as const

/** Stores readers. Returns those that were not stored before. */
export async function insertFetches(trx: Db, fetches: readonly Fetch[]): Promise<Fetch[]> {
  if (fetches.length === 0) return []
  return trx
    .insertInto('fetches')
    .values(fetches.map((fetch) => toRow(fetch, fields)))
    .onConflict((conflict) => conflict.columns(['day', 'skill_id', 'reader']).doNothing())
    .returning(columnsOf('fetches', fields))
    .execute()
}

/** Adds new readers, by address and by network, to the counts of a skill and its repository. */
export async function addFetches(
  trx: Db,
  skillId: string,
  readers: { addresses: number; networks: number },
  revision: number,
): Promise<void> {
  const skill = await trx
    .updateTable('skills')
    .set((eb) => ({
      fetch_count: eb('fetch_count', '+', readers.addresses),
      network_fetch_count: eb('network_fetch_count', '+', readers.networks),
      revision,
    }))
    .where('id', '=', skillId)
    .where(isShown)
    .returning('repository_id')
    .executeTakeFirst()
  if (!skill) return
  await trx
    .updateTable('repositories')
    .set((eb) => ({ download_count: eb('download_count', '+', readers.addresses) }))
    .where('id', '=', skill.repository_id)
    .execute()
}

/** Deletes the readers of days before `day`. Counts stay. */
export const purgeFetches = (trx: Db, day: string) =>
  trx.deleteFrom('fetches').where('day', '<', day).execute()
