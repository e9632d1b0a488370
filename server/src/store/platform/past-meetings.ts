import type { NotNull } from 'kysely'
import { columnsOf, countRows, type Db, type Fields, toRow } from '../../db/query.ts'

const fields = ['uuid', 'meetingId', 'number', 'startedAt', 'endedAt'] as const

/** A meeting from its start to its end. A restart begins another instance. */
export type InstanceRecord = Pick<Fields<'meeting_instances'>, (typeof fields)[number]>

export const insertInstance = (trx: Db, instance: InstanceRecord) =>
  trx.insertInto('meeting_instances').values(toRow(instance, fields)).execute()

export const markInstanceEnded = (trx: Db, uuid: string, now: number) =>
  trx.updateTable('meeting_instances').set({ ended_at: now }).where('uuid', '=', uuid).execute()

/** The uuid of an instance, or a meeting, of which the last one is meant. */
export type InstanceName = { readonly uuid: string } | { readonly meetingId: number }

function instances(db: Db, name: InstanceName) {
  const all = db.selectFrom('meeting_instances').select(columnsOf('meeting_instances', fields))
  return 'uuid' in name
    ? all.where('uuid', '=', name.uuid)
    : all.where('meeting_id', '=', name.meetingId).orderBy('number', 'desc').limit(1)
}

export const findInstance = (db: Db, name: InstanceName) => instances(db, name).executeTakeFirst()

/** Finds an instance among those that have ended. */
export const findEndedInstance = (db: Db, name: InstanceName) =>
  instances(db, name)
    .where('ended_at', 'is not', null)
    .$narrowType<{ endedAt: NotNull }>()
    .executeTakeFirst()

const participantFields = [
  ...(['id', 'instance', 'number', 'userId', 'name', 'email'] as const),
  ...(['joinedAt', 'leftAt'] as const),
] as const

type Row = Fields<'meeting_participants'>

/** Somebody in an instance of a meeting. `userId` is null and `email` empty for guests. */
export type ParticipantRecord = Pick<Row, (typeof participantFields)[number]>

export const insertParticipant = (trx: Db, participant: ParticipantRecord) =>
  trx.insertInto('meeting_participants').values(toRow(participant, participantFields)).execute()

export const markParticipantLeft = (trx: Db, id: string, now: number) =>
  trx.updateTable('meeting_participants').set({ left_at: now }).where('id', '=', id).execute()

const participantsOf = (db: Db, instance: string) =>
  db.selectFrom('meeting_participants').where('instance', '=', instance)

const inOrder = (db: Db, instance: string) =>
  participantsOf(db, instance)
    .select(columnsOf('meeting_participants', participantFields))
    .orderBy('number')

/** Lists up to `limit` participants after a number, in the order of joining. */
export const listParticipants = (db: Db, instance: string, after: number, limit: number) =>
  inOrder(db, instance).where('number', '>', after).limit(limit).execute()

/** Lists those who are in an instance now, in the order of joining. */
export const listPresent = (db: Db, instance: string): Promise<ParticipantRecord[]> =>
  inOrder(db, instance).where('left_at', 'is', null).execute()

export const countParticipants = (db: Db, instance: string) =>
  countRows(participantsOf(db, instance))
