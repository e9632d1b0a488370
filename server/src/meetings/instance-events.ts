import type { Db } from '../db/open.ts'
import { writeEvent } from '../people/events.ts'
import type { OperatorContext } from '../runtime/context.ts'
import type { MeetingRecord } from '../store/platform/meetings.ts'
import type { InstanceRecord, ParticipantRecord } from '../store/platform/past-meetings.ts'
import { toSnake } from '../text/case.ts'
import { wholeSeconds } from './meeting-times.ts'

/** A meeting in progress, locked in a transaction. */
export interface Running {
  readonly ctx: OperatorContext
  readonly trx: Db
  readonly now: number
  readonly meeting: MeetingRecord
  readonly instance: InstanceRecord
}

/** The fields that events and recordings have in common. */
export const serializeInstance = ({
  meeting,
  instance,
}: Pick<Running, 'meeting' | 'instance'>) => ({
  ...toSnake(meeting, ['hostId', 'topic', 'type', 'duration', 'timezone']),
  uuid: instance.uuid,
  start_time: wholeSeconds(instance.startedAt),
})

// `writeEvent` leaves out the times that an event does not declare.

export function writeState(running: Running, event: 'meeting.started' | 'meeting.ended') {
  const { ctx, trx, now, meeting } = running
  const { id, accountId, hostId: userId } = meeting
  const object = { ...serializeInstance(running), id: String(id), end_time: wholeSeconds(now) }
  return writeEvent(ctx, trx, { event, accountId, userId, payload: { object } })
}

export function writeStay(
  running: Running,
  event: 'meeting.participant_joined' | 'meeting.participant_left',
  { id: participant_uuid, number, userId: id, name, email }: ParticipantRecord,
) {
  const { ctx, trx, now, meeting } = running
  const { accountId, hostId: userId } = meeting
  const who = { user_id: String(number), user_name: name, id: id ?? '', participant_uuid, email }
  const participant = { ...who, join_time: wholeSeconds(now), leave_time: wholeSeconds(now) }
  const object = { ...serializeInstance(running), id: String(meeting.id), participant }
  return writeEvent(ctx, trx, { event, accountId, userId, payload: { object } })
}
