import {
  defaultSettings,
  type Meeting,
  type MeetingPage,
  MeetingSettings,
  Recurrence,
} from '@skillpass/contract'
import type { z } from 'zod'
import { toSnake } from '../../runtime/case.ts'
import type { PlatformContext } from '../context.ts'
import { heldOccurrences, startOf } from '../meeting-changes.ts'
import { joinUrl, meetingPath, passcodeOf } from '../meeting-number.ts'
import { stateOf } from '../meeting-state.ts'
import { wholeSeconds } from '../meeting-times.ts'
import type { listMeetings, OpenedMeeting } from '../meetings.ts'
import type { MeetingRecord, OccurrenceRecord } from '../store/meetings.ts'

export const serializeMeeting = (
  ctx: PlatformContext,
  { meeting, host, occurrences, zak }: OpenedMeeting,
): z.output<typeof Meeting> => ({
  ...serializeListedMeeting(ctx, meeting),
  host_email: host.email,
  status: stateOf(meeting) === 'started' ? 'started' : 'waiting',
  start_url: `${ctx.config.authUrl}${meetingPath(meeting.id)}/start${zak ? `?zak=${zak}` : ''}`,
  password: passcodeOf(ctx, meeting),
  settings: MeetingSettings.parse({ ...defaultSettings, ...meeting.settings }),
  ...(meeting.recurrence === null ? {} : { recurrence: Recurrence.parse(meeting.recurrence) }),
  ...(meeting.type === 8
    ? { occurrences: heldOccurrences(occurrences).map(serializeOccurrence) }
    : {}),
})

export const serializeMeetingPage = (
  ctx: PlatformContext,
  { page_size }: { page_size: number },
  { total, pageNumber, nextPageToken, items, host }: Awaited<ReturnType<typeof listMeetings>>,
): z.output<typeof MeetingPage> => ({
  page_size,
  page_count: Math.max(1, Math.ceil(total / page_size)),
  page_number: pageNumber,
  total_records: total,
  next_page_token: nextPageToken,
  meetings: items.map((meeting) => ({
    ...serializeListedMeeting(ctx, meeting),
    pmi: String(host.pmi),
  })),
})

const serializeListedMeeting = (
  ctx: PlatformContext,
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
