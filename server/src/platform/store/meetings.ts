import { type ExpressionBuilder, sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/rows.ts'
import type { Schema } from '../../db/schema.ts'

const fixedFields = ['id', 'uuid', 'accountId', 'createdAt', 'startedAt', 'endedAt'] as const

const planFields = [
  'hostId',
  'topic',
  'type',
  'startTime',
  'endTime',
  'duration',
  'timezone',
  'agenda',
  'password',
] as const

const columns = columnsOf('meetings', [...fixedFields, ...planFields, 'recurrence', 'settings'])

type Row = Pick<
  Fields<'meetings'>,
  (typeof fixedFields)[number] | (typeof planFields)[number] | 'recurrence' | 'settings'
>

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

const select = (db: Db, id: number) =>
  db.selectFrom('meetings').select(columns).where('id', '=', id).where('deleted_at', 'is', null)

export async function findMeeting(db: Db, id: number): Promise<MeetingRecord | undefined> {
  const row = await select(db, id).executeTakeFirst()
  return row && record(row)
}

export async function lockMeeting(trx: Db, id: number): Promise<MeetingRecord | undefined> {
  const query = select(trx, id)
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
    .where('id', '=', id)
    .where('started_at', 'is not', null)
    .where('ended_at', 'is', null)
    .execute()

export const updateMeetingPlan = (trx: Db, meeting: MeetingRecord) =>
  trx.updateTable('meetings').set(planOf(meeting)).where('id', '=', meeting.id).execute()

/** Marks a meeting as deleted and keeps its number. Returns undefined if it was deleted. */
export const markMeetingDeleted = (trx: Db, id: number, now: number) =>
  trx
    .updateTable('meetings')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Lists of a host's meetings: all except the personal one, in progress, upcoming, ended. */
export type MeetingList = 'scheduled' | 'live' | 'upcoming' | 'previous'

export interface MeetingListQuery {
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
    .select(columns)
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
    .where('host_id', '=', hostId)
    .where('deleted_at', 'is', null)
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
