import { type Meeting, type MeetingPage, MeetingSettings, Recurrence } from '@skillpass/contract'
import type { z } from 'zod'
import type { Secret } from '../../secrets/secrets.ts'
import type { PlatformContext } from '../context.ts'
import { joinUrl, meetingPath } from '../meeting-links.ts'
import { stateOf } from '../meeting-state.ts'
import { passcodeOf } from '../passcodes.ts'
import type { MeetingRecord } from '../store/meetings.ts'
import type { OccurrenceRecord } from '../store/occurrences.ts'
import type { UserRecord } from '../store/user-record.ts'
import { wholeSeconds } from '../time-zones.ts'

/** How a meeting is held whose host has said nothing about it. */
const usualSettings: z.output<typeof MeetingSettings> = {
  host_video: false,
  participant_video: false,
  join_before_host: false,
  mute_upon_entry: false,
  waiting_room: false,
  watermark: false,
  use_pmi: false,
  approval_type: 2,
  audio: 'both',
  auto_recording: 'none',
  alternative_hosts: '',
}

/** A meeting in the shape of the contract; `zak` lets its reader start it as its host. */
export const presentMeeting = (
  ctx: Pick<PlatformContext, 'config' | 'encryption'>,
  { meeting, host }: { meeting: MeetingRecord; host: UserRecord },
  occurrences: readonly OccurrenceRecord[],
  zak: Secret | undefined,
): z.output<typeof Meeting> => ({
  ...presentListedMeeting(ctx, meeting),
  host_email: host.email,
  status: stateOf(meeting) === 'started' ? 'started' : 'waiting',
  start_url: `${ctx.config.authUrl}${meetingPath(meeting.id)}/start${zak ? `?zak=${zak}` : ''}`,
  password: passcodeOf(ctx, meeting),
  settings: MeetingSettings.parse({ ...usualSettings, ...meeting.settings }),
  ...(meeting.recurrence === null ? {} : { recurrence: Recurrence.parse(meeting.recurrence) }),
  ...(meeting.type === 8 ? { occurrences: occurrences.map(presentOccurrence) } : {}),
})

/** A meeting in a list, in the shape of the contract; `startTime` (ms) in place of the meeting's own. */
export const presentListedMeeting = (
  ctx: Pick<PlatformContext, 'config' | 'encryption'>,
  meeting: MeetingRecord,
  startTime = meeting.startTime,
): z.output<typeof MeetingPage>['meetings'][number] => ({
  uuid: meeting.uuid,
  id: meeting.id,
  host_id: meeting.hostId,
  topic: meeting.topic,
  type: meeting.type,
  ...(startTime === null ? {} : { start_time: wholeSeconds(startTime) }),
  duration: meeting.duration,
  timezone: meeting.timezone,
  agenda: meeting.agenda,
  created_at: wholeSeconds(meeting.createdAt),
  join_url: joinUrl(ctx.config, meeting.id, passcodeOf(ctx, meeting)),
})

const presentOccurrence = ({ startTime, duration }: OccurrenceRecord) => ({
  occurrence_id: String(startTime),
  start_time: wholeSeconds(startTime),
  duration,
  status: 'available' as const,
})
