import { sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import type { MeetingRecord } from './meetings.ts'

type Row = Fields<'meeting_occurrences'>

const fields = ['startTime', 'duration', 'movedTo', 'cancelledAt'] as const

/**
 * An occurrence of a recurring meeting. `startTime` is the planned start in ms since 1970 and never
 * changes, `duration` is in minutes. `changes` replace fields of the meeting.
 */
export type OccurrenceRecord = Pick<Row, 'startTime' | 'duration'> &
  Partial<Pick<Row, 'movedTo' | 'cancelledAt'>> & {
    readonly changes?: Partial<Pick<MeetingRecord, 'topic' | 'agenda' | 'settings'>>
  }

export async function insertOccurrences(
  trx: Db,
  meetingId: number,
  occurrences: readonly OccurrenceRecord[],
): Promise<void> {
  const rows = occurrences.map(({ changes = {}, ...one }) => ({
    meeting_id: meetingId,
    changes: JSON.stringify(changes),
    ...toRow({ movedTo: null, cancelledAt: null, ...one }, fields),
  }))
  if (rows.length > 0) await trx.insertInto('meeting_occurrences').values(rows).execute()
}

/** Lists the occurrences of a meeting by planned start, cancelled ones included. */
export async function listOccurrences(db: Db, meetingId: number): Promise<OccurrenceRecord[]> {
  const rows = await db
    .selectFrom('meeting_occurrences')
    .select(columnsOf('meeting_occurrences', [...fields, 'changes']))
    .where('meeting_id', '=', meetingId)
    .orderBy('start_time')
    .execute()
  return rows.map((row) => ({ ...row, changes: JSON.parse(row.changes) }))
}

/** Maps meetings to the start of their first occurrence that has not ended at `now` (ms). */
export async function findNextOccurrences(db: Db, meetingIds: readonly number[], now: number) {
  if (meetingIds.length === 0) return new Map()
  const start = sql<number>`coalesce(moved_to, start_time)`
  const rows = await db
    .selectFrom('meeting_occurrences')
    .select((eb) => ['meeting_id as id', eb.fn.min(start).as('startTime')])
    .where('meeting_id', 'in', meetingIds)
    .where('cancelled_at', 'is', null)
    .where((eb) => eb(eb(start, '+', eb('duration', '*', 60_000)), '>', now))
    .groupBy('meeting_id')
    .execute()
  return new Map(rows.map(({ id, startTime }) => [id, Number(startTime)]))
}

export const deleteOccurrences = (trx: Db, meetingId: number) =>
  trx.deleteFrom('meeting_occurrences').where('meeting_id', '=', meetingId).execute()
