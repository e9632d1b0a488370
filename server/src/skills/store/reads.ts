import { type Db, type Fields, hasRow, toRow } from '../../db/query.ts'

/** A read of a skill by an agent or a network on a UTC day. */
export type Read = Fields<'reads'>

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

export const purgeReads = (trx: Db, day: string) =>
  trx.deleteFrom('reads').where('day', '<', day).execute()
