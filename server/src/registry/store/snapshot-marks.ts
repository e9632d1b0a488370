import { sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

/** What the database knows of a snapshot. `createdAt` in milliseconds since 1970. */
export type SnapshotMark = Fields<'snapshot_marks'>

const fields = ['id', 'revision', 'createdAt'] as const

/** Leaves a snapshot's mark; whatever the snapshot holds must have been committed before. */
export async function insertSnapshotMark(trx: Db, mark: SnapshotMark): Promise<void> {
  await trx.insertInto('snapshot_marks').values(toRow(mark, fields)).execute()
}

/** The mark with this id, unless the database has none or is from before it. */
export async function findSnapshotMark(db: Db, id: string): Promise<SnapshotMark | undefined> {
  return db
    .selectFrom('snapshot_marks')
    .select(columnsOf('snapshot_marks', fields))
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Removes the marks that were made before `time`. */
export async function deleteSnapshotMarksBefore(trx: Db, time: number): Promise<void> {
  await trx.deleteFrom('snapshot_marks').where('created_at', '<', time).execute()
}

/** How many skills readers see, and the revision at which they are. */
export async function countLiveSkills(db: Db): Promise<{ count: number; revision: number }> {
  return db
    .selectFrom('registry_revision')
    .select(['revision'])
    .select((eb) =>
      eb
        .selectFrom('skills')
        .select(sql<number>`count(*)`.as('count'))
        .where('deleted_at', 'is', null)
        .where('state', '<>', 'hidden')
        .as('count'),
    )
    .where('id', '=', 1)
    .$narrowType<{ count: number }>()
    .executeTakeFirstOrThrow()
}
