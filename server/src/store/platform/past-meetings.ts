import { columnsOf, countRows, type Db, type Fields, toRow } from '../../db/query.ts'

const fields = ['uuid', 'meetingId', 'number', 'startedAt', 'endedAt'] as const

/** A meeting from its start to its end. A restart begins another instance. */
export type InstanceRecord = Pick<Fields<'meeting_instances'>, (typeof fields)[number]>

export const insertInstance = (trx: Db, instance: InstanceRecord) =>
  trx.insertInto('meeting_instances').values(toRow(instance, fields)).execute()

export const markInstanceEnded = (trx: Db, uuid: string, now: number) =>
  trx.updateTable('meeting_instances').set({ ended_at: now }).where('uuid', '=', uuid).execute()

/** Finds an instance by its uuid, or the last one of a meeting that has any, or any that ended. */
export function findInstance(
  db: Db,
  name: { readonly uuid: string } | { readonly meetingId: number },
  { ended = false } = {},
): Promise<InstanceRecord | undefined> {
  const all = db.selectFrom('meeting_instances').select(columnsOf('meeting_instances', fields))
  const named =
    'uuid' in name
      ? all.where('uuid', '=', name.uuid)
      : all.where('meeting_id', '=', name.meetingId).orderBy('number', 'desc').limit(1)
  return (ended ? named.where('ended_at', 'is not', null) : named).executeTakeFirst()
}

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

/** Lists up to `limit` participants after a number, in the order of joining. */
export const listParticipants = (db: Db, instance: string, after = 0, limit = 1000) =>
  participantsOf(db, instance)
    .select(columnsOf('meeting_participants', participantFields))
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()

/** Lists those who are in an instance now. */
export const listPresent = (db: Db, instance: string): Promise<ParticipantRecord[]> =>
  participantsOf(db, instance)
    .select(columnsOf('meeting_participants', participantFields))
    .where('left_at', 'is', null)
    .orderBy('number')
    .execute()

export const countParticipants = (db: Db, instance: string) =>
  countRows(participantsOf(db, instance))

/** Sums the time of all participants in an instance that has ended, ms. */
export async function sumAttendance(db: Db, instance: string): Promise<number> {
  const { total } = await participantsOf(db, instance)
    .select((eb) => eb.fn.sum(eb('left_at', '-', eb.ref('joined_at'))).as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}
