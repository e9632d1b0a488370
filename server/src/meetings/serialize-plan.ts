import { defaultSettings, type MeetingPage, MeetingSettings, Recurrence } from '@skillpass/contract'
import type { z } from 'zod'
import { joinUrl, passcodeOf } from '../people/meeting-access.ts'
import type { OperatorContext } from '../runtime/context.ts'
import type { MeetingRecord, OccurrenceRecord } from '../store/platform/meetings.ts'
import { toSnake } from '../text/case.ts'
import { heldOccurrences, type KnownMeeting, startOf } from './meeting-changes.ts'
import { wholeSeconds } from './meeting-times.ts'

/** Serializes what was planned. Neither the host nor the state of the meeting is part of it. */
export const serializePlan = (ctx: OperatorContext, { meeting, occurrences }: KnownMeeting) => ({
  ...serializeListedMeeting(ctx, meeting),
  settings: MeetingSettings.parse({ ...defaultSettings, ...meeting.settings }),
  ...(meeting.recurrence === null ? {} : { recurrence: Recurrence.parse(meeting.recurrence) }),
  ...(meeting.type === 8
    ? { occurrences: heldOccurrences(occurrences).map(serializeOccurrence) }
    : {}),
})

export const serializeListedMeeting = (
  ctx: Pick<OperatorContext, 'config' | 'encryption'>,
  meeting: MeetingRecord,
): Omit<z.output<typeof MeetingPage>['meetings'][number], 'pmi'> => ({
  ...toSnake(meeting, ['uuid', 'id', 'hostId', 'topic', 'type', 'duration', 'timezone', 'agenda']),
  ...(meeting.startTime === null ? {} : { start_time: wholeSeconds(meeting.startTime) }),
  created_at: wholeSeconds(meeting.createdAt),
  join_url: joinUrl(ctx.config, meeting.id, passcodeOf(ctx, meeting)),
})

const serializeOccurrence = (one: OccurrenceRecord) => ({
  occurrence_id: String(one.startTime),
  start_time: wholeSeconds(startOf(one)),
  duration: one.duration,
  status: 'available' as const,
})
