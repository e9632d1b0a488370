import type { Db } from '../../db/open.ts'

/** One reader of one skill on one UTC day. */
export interface Fetch {
  skillId: string
  /** A hash of the client's address, or of its network. */
  reader: string
  day: string
}

/** Keeps readers of a day, and gives those that were not counted before. */
export async function insertFetches(trx: Db, fetches: readonly Fetch[]): Promise<Fetch[]> {
  if (fetches.length === 0) return []
  return trx
    .insertInto('fetches')
    .values(fetches.map(({ skillId, reader, day }) => ({ skill_id: skillId, reader, day })))
    .onConflict((conflict) => conflict.columns(['day', 'skill_id', 'reader']).doNothing())
    .returning(['skill_id as skillId', 'reader', 'day'])
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
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
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
