import type {
  AppIndicator,
  ChatMessage,
  ContentAccess,
  Meeting,
  MeetingPage,
  PastMeeting,
  PastParticipantPage,
  Recording,
} from '@skillpass/contract'
import type { z } from 'zod'
import { meetingPath, passcodeOf } from '../people/meeting-access.ts'
import { displayNameOf } from '../people/serialize.ts'
import type { Context } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import type { ChatMessageRecord } from '../store/platform/chat.ts'
import type {
  ActiveAccess,
  ContentAccessRecord,
  ContentType,
} from '../store/platform/content-access.ts'
import type { RecordingRecord } from '../store/platform/recordings.ts'
import { toSnake } from '../text/case.ts'
import { serializeInstance } from './instance-events.ts'
import { stateOf } from './meeting-state.ts'
import { wholeSeconds } from './meeting-times.ts'
import type { listMeetings, OpenedMeeting } from './meetings.ts'
import type { getPastMeeting, listPastParticipants, MeetingInstance } from './past-meetings.ts'
import { serializeListedMeeting, serializePlan } from './serialize-plan.ts'

export const serializeMeeting = (
  ctx: Context,
  { meeting, host, occurrences, zak }: OpenedMeeting,
): z.output<typeof Meeting> => ({
  ...serializePlan(ctx, { meeting, occurrences }),
  host_email: host.email,
  status: stateOf(meeting) === 'started' ? 'started' : 'waiting',
  start_url: `${ctx.config.authUrl}${meetingPath(meeting.id)}/start${zak ? `?zak=${zak}` : ''}`,
  password: passcodeOf(ctx, meeting),
})

export const serializeMeetingPage = (
  ctx: Context,
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

const minutes = (ms: number): number => Math.ceil(ms / 60_000)

export function serializePastMeeting({
  meeting,
  host,
  instance,
  participants,
  attendance,
}: Awaited<ReturnType<typeof getPastMeeting>>): z.output<typeof PastMeeting> {
  const { startedAt, endedAt } = instance
  const end = endedAt ?? startedAt
  return {
    ...toSnake(meeting, ['id', 'hostId', 'topic', 'type']),
    uuid: instance.uuid,
    start_time: wholeSeconds(startedAt),
    end_time: wholeSeconds(end),
    duration: minutes(end - startedAt),
    user_name: displayNameOf(host),
    user_email: host.email,
    dept: host.dept,
    participants_count: participants,
    total_minutes: minutes(attendance),
  }
}

export const serializePastParticipants = (
  { page_size }: { page_size: number },
  { total, nextPageToken, items }: Awaited<ReturnType<typeof listPastParticipants>>,
): z.output<typeof PastParticipantPage> => ({
  page_size,
  page_count: Math.max(1, Math.ceil(total / page_size)),
  total_records: total,
  next_page_token: nextPageToken,
  participants: items.map(({ userId, number, name, email, joinedAt, leftAt }) => ({
    id: userId ?? '',
    user_id: String(number),
    name,
    user_email: email,
    join_time: wholeSeconds(joinedAt),
    leave_time: wholeSeconds(leftAt ?? joinedAt),
    duration: Math.round(((leftAt ?? joinedAt) - joinedAt) / 1000),
    status: 'in_meeting',
  })),
})

/** An instance with its recordings, whose files have the same size. */
export interface RecordedMeeting extends MeetingInstance {
  readonly recordings: readonly RecordingRecord[]
  readonly fileSize: number
}

export const serializeRecording = (
  { apiUrl }: Context['config'],
  { meeting, host, instance, recordings, fileSize }: RecordedMeeting,
): z.output<typeof Recording> => ({
  ...serializeInstance({ meeting, instance }),
  id: meeting.id,
  account_id: meeting.accountId,
  host_email: host.email,
  total_size: recordings.length * fileSize,
  recording_count: recordings.length,
  recording_files: recordings.map(({ id, startedAt, endedAt }) => ({
    id,
    meeting_id: instance.uuid,
    recording_start: wholeSeconds(startedAt),
    recording_end: wholeSeconds(endedAt),
    file_type: 'MP4',
    file_extension: 'MP4',
    file_size: fileSize,
    download_url: `${apiUrl}/v2/recordings/${id}/download`,
    status: 'completed',
    recording_type: 'shared_screen_with_speaker_view',
  })),
})

export const serializeChatMessage = (message: ChatMessageRecord): z.output<typeof ChatMessage> => ({
  message_id: message.id,
  robot_jid: message.robotJid,
  sent_time: isoTime(message.sentAt),
  to_jid: message.toJid,
})

export const serializeContentAccess = (
  access: ContentAccessRecord,
): z.output<typeof ContentAccess> => ({
  ...toSnake(access, ['id', 'meetingId', 'contentType', 'appName', 'approvedBy']),
  created_at: isoTime(access.createdAt),
})

export const indicatorIconPath = '/assets/app-indicator.svg'

/** Serializes the indicator. `accesses` is undefined if the client does not support it. */
export function serializeIndicator(
  { config }: Context,
  accesses: readonly ActiveAccess[] | undefined,
): z.output<typeof AppIndicator> {
  const shown = accesses ?? []
  const active = shown.length > 0
  return {
    supported: accesses !== undefined,
    active,
    icon_url: active ? config.authUrl + indicatorIconPath : null,
    tooltip: active ? shown.map(sentenceOf).join('\n') : null,
    apps: shown.map((one) => toSnake(one, ['appName', 'contentType', 'approvedBy'])),
  }
}

export const contentNames: Record<ContentType, string> = {
  audio: 'audio',
  video: 'video',
  chat: 'chat',
  transcript: 'the transcript',
  screen_share: 'the screen share',
}

/** A line of the tooltip (spec/oauth.md#in-meeting-indicator). */
const sentenceOf = ({ appName, contentType, approvedBy }: ActiveAccess): string =>
  `${oneLine(appName)} has access to ${contentNames[contentType]}. Approved by ${oneLine(approvedBy)}.`

/** Removes line breaks, so that a name cannot imitate a line of the tooltip. */
const oneLine = (name: string) => name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
