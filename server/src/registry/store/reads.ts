import { type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

/** That somebody, an agent or a network, read a version of a skill on a UTC day. */
export type Read = Fields<'reads'>

/** Keeps who read what last when; the reads must differ in more than the day. */
export async function upsertReads(trx: Db, reads: readonly Read[]): Promise<void> {
  if (reads.length === 0) return
  await trx
    .insertInto('reads')
    .values(reads.map((read) => toRow(read, ['skillId', 'reader', 'version', 'day'])))
    .onConflict((conflict) =>
      conflict
        .columns(['skill_id', 'reader', 'version'])
        .doUpdateSet((eb) => ({ day: eb.ref('excluded.day') })),
    )
    .execute()
}

/**
 * Whether one of the readers read the skill between two days, in a version that was current on the
 * first or came afterwards. `since` is the first day's time in ms.
 */
export async function hasReadSince(
  db: Db,
  skillId: string,
  readers: readonly string[],
  { day, since, until }: { day: string; since: number; until: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('reads')
    .select('reader')
    .where('skill_id', '=', skillId)
    .where('reader', 'in', [...readers])
    .where('day', '>=', day)
    .where('day', '<=', until)
    .where('version', '>=', (eb) =>
      eb
        .selectFrom('skill_versions')
        .select((inner) =>
          inner.fn.coalesce(inner.fn.max('skill_versions.version'), inner.lit(1)).as('version'),
        )
        .where('skill_versions.skill_id', '=', skillId)
        .where('skill_versions.created_at', '<=', since),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets reads of days before `day`. */
export async function purgeReads(trx: Db, day: string): Promise<void> {
  await trx.deleteFrom('reads').where('day', '<', day).execute()
}
