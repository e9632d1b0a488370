import { z } from 'zod'
import { demo } from '../demo.ts'
import { endpointScopes, type ScopeRequirement } from '../oauth/endpoint-scopes.ts'
import {
  AppDeauthorizedEvent,
  EndpointTestEvent,
  EndpointValidationEvent,
  EventTime,
} from '../oauth/events.ts'
import { doc, Instant, int, named, string } from '../schemas.ts'
import { Meeting } from './meetings.ts'
import { CreatedUser } from './new-user.ts'
import { ListedUser } from './user.ts'

const schemaId = (name: string) =>
  `${name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

/** An event about an object, in the envelope of the vendor. `more` are fields of its payload. */
const event = <const N extends string, O extends z.ZodType, P extends z.ZodRawShape>(
  name: N,
  description: string,
  object: O,
  more: P,
) => {
  const account_id = string('Account of the user or of the host.', demo.account.id)
  const payload = z.object({ account_id, ...more, object: object.describe('The object.') })
  return z
    .object({
      event: z.literal(name).describe('Name of the event.'),
      event_ts: EventTime,
      payload: payload.describe('The object, and who did what to it.'),
    })
    .meta({ id: schemaId(name), description })
}

const by = {
  operator: string(
    'Email of the user who did it. Absent if the operator of the service did it.',
    demo.users.owner.email,
  ).optional(),
  operator_id: string('Id of this user.', demo.users.owner.id).optional(),
}
const extent = z
  .enum(['all', 'single'])
  .meta(doc('`single` if only the occurrence in `object.occurrences` is concerned.', 'all'))
const created = { creation_type: z.literal('create').describe('How the user was added.') }
const updated = <O extends z.ZodType>(object: O) => ({
  old_object: object.describe('The former values of the changed fields.'),
  time_stamp: EventTime,
})

const past = { start_time: Instant.describe('When the host started it.') }
const ids = { id: true, uuid: true, host_id: true } as const
const outline = { ...ids, topic: true, type: true, duration: true, timezone: true } as const

const Planned = Meeting.pick({ ...outline, start_time: true, agenda: true, join_url: true }).extend(
  Meeting.pick({ settings: true, recurrence: true, occurrences: true }).shape,
)
const ChangedMeeting = Planned.partial().required(ids)

const Held = Meeting.pick(outline).extend({
  ...past,
  id: string('Number of the meeting.', String(demo.meeting)),
})
const Ended = Held.extend({ end_time: Instant.describe('When it ended.') })

const withParticipant = <P extends z.ZodRawShape>(moment: P) => {
  const participant = z.object({
    user_id: string('Id of the participant in this meeting.', '2'),
    user_name: string('Name that the meeting shows.', 'Nina'),
    id: string('Id of the user. Empty without a sign-in.', demo.users.member.id),
    participant_uuid: string('Unique id of this stay.', '4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f51'),
    email: string('Email of the user. Empty without a sign-in.', demo.users.member.email),
    ...moment,
  })
  return Held.extend({ participant: participant.describe('The participant.') })
}
const Joined = withParticipant({ join_time: Instant })
const Left = withParticipant({ leave_time: Instant })

const Person = CreatedUser.extend({ display_name: ListedUser.shape.display_name })
const ChangedUser = ListedUser.partial().required({ id: true })

const File = z.object({
  id: string('Id of the file.', demo.recording),
  meeting_id: string('Unique id of the meeting.', '4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50'),
  recording_start: Instant,
  recording_end: Instant,
  file_type: z.literal('MP4').describe('Type.'),
  file_extension: z.literal('MP4').describe('Extension of the name.'),
  file_size: int('Size in bytes.', 1024),
  download_url: string(
    'Address of the file. Send `Authorization: Bearer` with the `download_token` of the event, or with an access token.',
    `https://api.example.com/v2/recordings/${demo.recording}/download`,
  ),
  status: z.literal('completed').describe('State.'),
  recording_type: z.literal('shared_screen_with_speaker_view').describe('What it shows.'),
})

/** A meeting with the files of its recording. */
export const Recording = Meeting.pick({ ...outline, host_email: true }).extend({
  ...past,
  account_id: string('Account of the host.', demo.account.id),
  total_size: int('Size of all files in bytes.', 1024),
  recording_count: int('Number of files.', 1),
  recording_files: z.array(File.describe('A file.')).describe('The files.'),
})

/** The events that apps subscribe to. */
export const appEvents = [
  event('meeting.created', 'A meeting was created.', Planned, { ...by, operation: extent }),
  event('meeting.updated', 'A meeting was changed.', ChangedMeeting, {
    ...by,
    scope: extent,
    ...updated(ChangedMeeting),
  }),
  event('meeting.deleted', 'A meeting was deleted.', Planned, { ...by, operation: extent }),
  event('meeting.started', 'A meeting started.', Held, {}),
  event('meeting.ended', 'A meeting ended.', Ended, {}),
  event('meeting.participant_joined', 'A participant joined.', Joined, {}),
  event('meeting.participant_left', 'A participant left.', Left, {}),
  event('user.created', 'A user was added.', Person, { ...by, ...created }),
  event('user.updated', 'A user was changed.', ChangedUser, { ...by, ...updated(ChangedUser) }),
  event('user.deleted', 'A user was removed.', Person, by),
  event('recording.completed', '', Recording, {})
    .extend({ download_token: string('Opens `download_url` for 24 hours.', 'sdl_EXAMPLE') })
    .meta({ id: 'RecordingCompletedEvent', description: 'A recording can be downloaded.' }),
] as const

export type AppEvent = z.output<(typeof appEvents)[number]>

/** Names of the events that apps subscribe to. */
export const eventNames = appEvents.map(({ shape }) => shape.event.value)

export const EventName = z.enum(eventNames)
export type EventName = z.output<typeof EventName>

/** Body of a delivery. */
export const WebhookEvent = z
  .discriminatedUnion('event', [
    ...appEvents,
    ...[AppDeauthorizedEvent, EndpointValidationEvent, EndpointTestEvent],
  ])
  .meta(named('WebhookEvent', 'An event. Ignore events that you do not know; more may be added.'))

export type WebhookEvent = z.output<typeof WebhookEvent>

/** Scopes for an event. An app needs one of them that reaches the user or the host. */
export function eventScopes(name: EventName): ScopeRequirement {
  if (name.startsWith('recording.')) return endpointScopes.listRecordings
  return name.startsWith('user.') ? endpointScopes.readUser : endpointScopes.readMeeting
}
