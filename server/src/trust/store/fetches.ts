import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { isShown } from '../../skills/store/revision.ts'

/** One reader, by a hash of the address or of the network, of one skill on one UTC day. */
export type Fetch = Fields<'fetches'>

const fields = ['skillId', 'reader', 'day'] as const

/** Keeps readers of a day, and gives those that were not counted before. */
export async function insertFetches(trx: Db, fetches: readonly Fetch[]): Promise<Fetch[]> {
  if (fetches.length === 0) return []
  return trx
    .insertInto('fetches')
    .values(fetches.map((fetch) => toRow(fetch, fields)))
    .onConflict((conflict) => conflict.columns(['day', 'skill_id', 'reader']).doNothing())
    .returning(columnsOf('fetches', fields))
    .execute()
}

/** New readers of a skill, told apart by address and by network. */
export interface NewReaders {
  addresses: number
  networks: number
}

/** Adds readers to a skill and to its repository. */
export async function addFetches(
  trx: Db,
  skillId: string,
  readers: NewReaders,
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

/** Forgets the readers of days before `day`; their counts stay. */
export async function purgeFetches(trx: Db, day: string): Promise<void> {
  await trx.deleteFrom('fetches').where('day', '<', day).execute()
}
