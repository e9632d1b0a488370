import type {
  AppIndicator,
  ChatMessage,
  ContentAccess,
  Meeting,
  MeetingPage,
  PastMeeting,
  PastParticipantPage,
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
import { toSnake } from '../text/case.ts'
import { stateOf } from './meeting-state.ts'
import { wholeSeconds } from './meeting-times.ts'
import type { listMeetings, OpenedMeeting } from './meetings.ts'
import type { getPastMeeting, listPastParticipants } from './past-meetings.ts'
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

export const serializePastMeeting = ({
  meeting,
  host,
  instance: { uuid, startedAt, endedAt },
  participants,
}: Awaited<ReturnType<typeof getPastMeeting>>): z.output<typeof PastMeeting> => ({
  ...toSnake(meeting, ['id', 'hostId', 'topic', 'type']),
  uuid,
  start_time: wholeSeconds(startedAt),
  end_time: wholeSeconds(endedAt),
  duration: minutes(endedAt - startedAt),
  user_name: displayNameOf(host),
  user_email: host.email,
  dept: host.dept,
  participants_count: participants.length,
  total_minutes: minutes(
    participants.reduce((sum, { joinedAt, leftAt }) => sum + (leftAt ?? endedAt) - joinedAt, 0),
  ),
})

export const serializePastParticipants = (
  { page_size }: { page_size: number },
  { total, nextPageToken, items, endedAt }: Awaited<ReturnType<typeof listPastParticipants>>,
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
    leave_time: wholeSeconds(leftAt ?? endedAt),
    duration: Math.round(((leftAt ?? endedAt) - joinedAt) / 1000),
    status: 'in_meeting',
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
