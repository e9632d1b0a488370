import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, hasRow, prepared, toRow } from '../../db/query.ts'
import { isShown } from './revision.ts'

/** A reader of a skill on a UTC day, identified by a hash of its address or by its network. */
type Fetch = Fields<'fetches'>

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

const usageFields = ['skillId', 'day', 'version', 'fetches', 'installs'] as const

/** Adds to the usage of a version on a day. */
export const addVersionUsage = prepared((db, usage: Fields<'version_usage'>) =>
  db
    .insertInto('version_usage')
    .values(toRow(usage, usageFields))
    .onConflict((conflict) =>
      conflict.columns(['skill_id', 'day', 'version']).doUpdateSet((eb) => ({
        fetches: eb('version_usage.fetches', '+', eb.ref('excluded.fetches')),
        installs: eb('version_usage.installs', '+', eb.ref('excluded.installs')),
      })),
    ),
)

/** Lists the usage of a skill since a day, newest day and version first. */
export const listVersionUsage = (db: Db, skillId: string, since: string) =>
  db
    .selectFrom('version_usage')
    .select(['day', 'version', 'fetches', 'installs'])
    .where((eb) => eb.and([eb('skill_id', '=', skillId), eb('day', '>=', since)]))
    .orderBy('day', 'desc')
    .orderBy('version', 'desc')
    .execute()

export const purgeVersionUsage = (trx: Db, day: string) =>
  trx.deleteFrom('version_usage').where('day', '<', day).execute()

/** Moves the count of networks that read a skill to another skill, or resets it. */
export async function moveNetworkFetches(trx: Db, from: string, to?: string): Promise<void> {
  if (to !== undefined) {
    await sql`update skills set network_fetch_count = network_fetch_count + (
      select network_fetch_count from skills as former where former.id = ${from})
      where id = ${to}`.execute(trx)
  }
  await trx.updateTable('skills').set({ network_fetch_count: 0 }).where('id', '=', from).execute()
}

/** A read of a skill by an agent or a network on a UTC day. */
type Read = Fields<'reads'>

/** Records the last day of each read. The reads must differ in skill or reader. */
export async function upsertReads(trx: Db, reads: readonly Read[]): Promise<void> {
  if (reads.length === 0) return
  await trx
    .insertInto('reads')
    .values(reads.map((read) => toRow(read, ['skillId', 'reader', 'day'])))
    .onConflict((conflict) =>
      conflict
        .columns(['skill_id', 'reader'])
        .doUpdateSet((eb) => ({ day: eb.ref('excluded.day') })),
    )
    .execute()
}

/** Returns whether one of the readers has read the skill within the retention period. */
export const hasRead = (db: Db, skillId: string, readers: readonly string[]) =>
  hasRow(
    db
      .selectFrom('reads')
      .select('reader')
      .where('skill_id', '=', skillId)
      .where('reader', 'in', [...readers])
      .limit(1),
  )

/** Deletes the readers of days before `day`. Counts stay. */
export const purgeReadersOf = (trx: Db, table: 'fetches' | 'reads', day: string) =>
  trx.deleteFrom(table).where('day', '<', day).execute()
