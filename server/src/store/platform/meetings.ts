import { type ExpressionBuilder, sql } from 'kysely'
import { columnsOf, countRows, type Db, type Fields, isPostgres, toRow } from '../../db/query.ts'
import type { Schema } from '../../db/schema.ts'

const fixedFields = ['id', 'uuid', 'accountId', 'createdAt', 'startedAt', 'endedAt'] as const

const timeFields = ['startTime', 'endTime', 'duration', 'timezone'] as const

const planFields = ['hostId', 'topic', 'type', 'agenda', 'password', ...timeFields] as const

const fields = [...fixedFields, ...planFields, 'recurrence', 'settings'] as const

type Row = Pick<Fields<'meetings'>, (typeof fields)[number]>

/** A meeting. Rule and settings have the form of the contract. */
export type MeetingRecord = Omit<Row, 'recurrence' | 'settings'> & {
  recurrence: Record<string, unknown> | null
  settings: Record<string, unknown>
}

const record = ({ recurrence, settings, ...row }: Row): MeetingRecord => ({
  ...row,
  recurrence: recurrence === null ? null : JSON.parse(recurrence),
  settings: JSON.parse(settings),
})

const planOf = (meeting: MeetingRecord) => ({
  ...toRow(meeting, planFields),
  recurrence: meeting.recurrence === null ? null : JSON.stringify(meeting.recurrence),
  settings: JSON.stringify(meeting.settings),
})

/** Stores a new meeting. Throws `UniqueViolation` if its number is taken. */
export const insertMeeting = (trx: Db, meeting: MeetingRecord) =>
  trx
    .insertInto('meetings')
    .values({ ...planOf(meeting), ...toRow(meeting, fixedFields) })
    .execute()

const select = (db: Db) =>
  db.selectFrom('meetings').select(columnsOf('meetings', fields)).where('deleted_at', 'is', null)

export async function findMeeting(db: Db, id: number): Promise<MeetingRecord | undefined> {
  const row = await select(db).where('id', '=', id).executeTakeFirst()
  return row && record(row)
}

export async function lockMeeting(trx: Db, id: number): Promise<MeetingRecord | undefined> {
  const query = select(trx).where('id', '=', id)
  const row = await (isPostgres(trx) ? query.forUpdate() : query).executeTakeFirst()
  return row && record(row)
}

export const markMeetingStarted = (trx: Db, id: number, now: number) =>
  trx
    .updateTable('meetings')
    .set({ started_at: now, ended_at: null })
    .where('id', '=', id)
    .execute()

/** Ends a meeting at `now` (ms) if it is in progress. */
export const markMeetingEnded = (trx: Db, id: number, now: number) =>
  trx
    .updateTable('meetings')
    .set({ ended_at: now })
    .where((eb) => eb.and({ id, ended_at: null }))
    .where('started_at', 'is not', null)
    .execute()

export const updateMeetingPlan = (trx: Db, meeting: MeetingRecord) =>
  trx.updateTable('meetings').set(planOf(meeting)).where('id', '=', meeting.id).execute()

/** Marks a meeting as deleted and keeps its number. Returns undefined if it was deleted. */
export const markMeetingDeleted = (trx: Db, id: number, now: number) =>
  trx
    .updateTable('meetings')
    .set({ deleted_at: now })
    .where((eb) => eb.and({ id, deleted_at: null }))
    .returning('id')
    .executeTakeFirst()

/** Lists of a host's meetings: all except the personal one, in progress, upcoming, ended. */
export type MeetingList = 'scheduled' | 'live' | 'upcoming' | 'previous'

interface MeetingListQuery {
  readonly hostId: string
  readonly list: MeetingList
  readonly now: number
}

/** Returns up to `limit` meetings of a list, newest first, after `after`. */
export async function findMeetings(
  db: Db,
  query: MeetingListQuery & {
    readonly after: readonly [createdAt: number, id: number] | undefined
    readonly limit: number
    readonly offset: number
  },
): Promise<MeetingRecord[]> {
  const { after, limit, offset } = query
  const ordered = onList(db, query)
    .select(columnsOf('meetings', fields))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  const page = after
    ? ordered.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(...after)))
    : ordered
  return (await page.execute()).map(record)
}

export const countMeetings = (db: Db, query: MeetingListQuery) => countRows(onList(db, query))

// The index on hosts contains every column of the conditions.
const onList = (db: Db, { hostId, list, now }: MeetingListQuery) =>
  db
    .selectFrom('meetings')
    .where((eb) => eb.and({ host_id: hostId, deleted_at: null }))
    .where((eb) => conditions[list](eb, now))

type Meetings = ExpressionBuilder<Schema, 'meetings'>

const isLive = (eb: Meetings) =>
  eb.and([eb('started_at', 'is not', null), eb('ended_at', 'is', null)])

const conditions = {
  scheduled: (eb: Meetings) => eb('type', '!=', sql.lit(4)),
  live: isLive,
  upcoming: (eb: Meetings, now: number) => eb.or([eb('end_time', '>', now), isLive(eb)]),
  previous: (eb: Meetings, now: number) =>
    eb.or([
      eb('ended_at', 'is not', null),
      // A meeting in progress has not ended, even after its planned end.
      eb.and([eb('end_time', '<=', now), eb('started_at', 'is', null)]),
    ]),
}

type Occurrence = Fields<'meeting_occurrences'>

const occurrenceFields = ['startTime', 'duration', 'movedTo', 'cancelledAt'] as const

/**
 * An occurrence of a recurring meeting. `startTime` is the planned start in ms since 1970 and never
 * changes, `duration` is in minutes. `changes` replace fields of the meeting.
 */
export type OccurrenceRecord = Pick<Occurrence, 'startTime' | 'duration'> &
  Partial<Pick<Occurrence, 'movedTo' | 'cancelledAt'>> & {
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
    ...toRow({ movedTo: null, cancelledAt: null, ...one }, occurrenceFields),
  }))
  if (rows.length > 0) await trx.insertInto('meeting_occurrences').values(rows).execute()
}

/** Lists the occurrences of a meeting by planned start, cancelled ones included. */
export async function listOccurrences(db: Db, meetingId: number): Promise<OccurrenceRecord[]> {
  const rows = await db
    .selectFrom('meeting_occurrences')
    .select(columnsOf('meeting_occurrences', [...occurrenceFields, 'changes']))
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
