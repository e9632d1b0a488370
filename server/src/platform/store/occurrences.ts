import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

const fields = ['startTime', 'duration'] as const

/** An occurrence of a recurring meeting. `startTime` is in ms since 1970, `duration` in minutes. */
export type OccurrenceRecord = Pick<Fields<'meeting_occurrences'>, (typeof fields)[number]>

export async function insertOccurrences(
  trx: Db,
  meetingId: number,
  occurrences: readonly OccurrenceRecord[],
): Promise<void> {
  const rows = occurrences.map((one) => ({ meeting_id: meetingId, ...toRow(one, fields) }))
  if (rows.length > 0) await trx.insertInto('meeting_occurrences').values(rows).execute()
}

export const listOccurrences = (db: Db, meetingId: number): Promise<OccurrenceRecord[]> =>
  db
    .selectFrom('meeting_occurrences')
    .select(columnsOf('meeting_occurrences', fields))
    .where('meeting_id', '=', meetingId)
    .orderBy('start_time')
    .execute()

/** Maps meetings to the start of their first occurrence that has not ended at `now` (ms). */
export async function findNextOccurrences(db: Db, meetingIds: readonly number[], now: number) {
  if (meetingIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('meeting_occurrences')
    .select((eb) => ['meeting_id as id', eb.fn.min('start_time').as('startTime')])
    .where('meeting_id', 'in', meetingIds)
    .where((eb) => eb(eb('start_time', '+', eb('duration', '*', 60_000)), '>', now))
    .groupBy('meeting_id')
    .execute()
  return new Map(rows.map(({ id, startTime }) => [id, Number(startTime)]))
}

/** Deletes the occurrence that starts at `startTime` (ms). Returns undefined if there is none. */
export const deleteOccurrence = (trx: Db, meetingId: number, startTime: number) =>
  trx
    .deleteFrom('meeting_occurrences')
    .where('meeting_id', '=', meetingId)
    .where('start_time', '=', startTime)
    .returning('meeting_id')
    .executeTakeFirst()

export const deleteOccurrences = (trx: Db, meetingId: number) =>
  trx.deleteFrom('meeting_occurrences').where('meeting_id', '=', meetingId).execute()
