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

const subjectOf = ({ accountId, hostId: userId }: MeetingRecord) => ({ accountId, userId })

const objectOf = (running: Running) => ({
  ...serializeInstance(running),
  id: String(running.meeting.id),
})

const participantOf = ({ id, number, userId, name, email }: ParticipantRecord) => ({
  user_id: String(number),
  user_name: name,
  id: userId ?? '',
  participant_uuid: id,
  email,
})

export function writeStart(running: Running): Promise<void> {
  const { ctx, trx, meeting } = running
  const payload = { object: objectOf(running) }
  return writeEvent(ctx, trx, { event: 'meeting.started', ...subjectOf(meeting), payload })
}

export function writeEnd(running: Running): Promise<void> {
  const { ctx, trx, now, meeting } = running
  const payload = { object: { ...objectOf(running), end_time: wholeSeconds(now) } }
  return writeEvent(ctx, trx, { event: 'meeting.ended', ...subjectOf(meeting), payload })
}

export function writeJoin(running: Running, one: ParticipantRecord): Promise<void> {
  const { ctx, trx, now, meeting } = running
  const participant = { ...participantOf(one), join_time: wholeSeconds(now) }
  const payload = { object: { ...objectOf(running), participant } }
  return writeEvent(ctx, trx, {
    event: 'meeting.participant_joined',
    ...subjectOf(meeting),
    payload,
  })
}

export function writeLeave(running: Running, one: ParticipantRecord): Promise<void> {
  const { ctx, trx, now, meeting } = running
  const participant = { ...participantOf(one), leave_time: wholeSeconds(now) }
  const payload = { object: { ...objectOf(running), participant } }
  return writeEvent(ctx, trx, {
    event: 'meeting.participant_left',
    ...subjectOf(meeting),
    payload,
  })
}
