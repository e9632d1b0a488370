import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'

const fields = ['id', 'instance', 'startedAt', 'endedAt', 'tokenKey'] as const

/** A recording of an instance of a meeting. */
export type RecordingRecord = Pick<Fields<'meeting_recordings'>, (typeof fields)[number]>

export const insertRecording = (trx: Db, recording: RecordingRecord) =>
  trx.insertInto('meeting_recordings').values(toRow(recording, fields)).execute()

const select = (db: Db) =>
  db.selectFrom('meeting_recordings').select(columnsOf('meeting_recordings', fields))

/** Lists the recordings of an instance, oldest first. */
export const listRecordings = (db: Db, instance: string): Promise<RecordingRecord[]> =>
  select(db).where('instance', '=', instance).orderBy('ended_at').orderBy('id').execute()

export const findRecording = (db: Db, id: string): Promise<RecordingRecord | undefined> =>
  select(db).where('id', '=', id).executeTakeFirst()
