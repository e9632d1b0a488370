import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { Instant, int, string } from '../schemas.ts'
import { platformErrorResponses } from './errors.ts'
import { emptyAsDefault } from './lenient.ts'
import { MeetingChanges, MeetingSettings, NewMeeting } from './new-meeting.ts'
import { pageFields, pageQuery, totalRecords } from './page.ts'
import { maxOccurrences, Recurrence } from './recurrence.ts'
import { UserPath } from './user.ts'

const c = initContract()

const MeetingPath = z.object({
  meetingId: z
    .string()
    .min(1)
    .meta({
      description: 'The number of the meeting, digits alone.',
      example: String(demo.meeting),
    }),
})

const time = '2026-11-21T10:00:00Z'

/** What a meeting shows in a list and by itself. */
const listed = {
  uuid: string(
    'Tells it from all that had or will have its number.',
    '4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50',
  ),
  id: z.int().meta({
    description: 'Its number: 11 digits, of a personal meeting 10.',
    example: demo.meeting,
    format: 'int64',
  }),
  host_id: string('Its host.', demo.users.owner.id),
  topic: string('What it is about.', 'Planning'),
  type: z.literal([1, 2, 3, 4, 8]).meta({
    description:
      '1 is instant, 2 scheduled, 3 recurring without fixed times, 4 personal, 8 recurring.',
    example: 2,
  }),
  duration: int('Minutes.', 45),
  timezone: string('Whose clocks count.', 'Europe/Berlin'),
  agenda: string('What will be done.', 'Goals'),
  created_at: Instant.meta({ example: time }),
  join_url: string(
    'Where participants join.',
    `https://auth.example.com/meetings/${demo.meeting}?pwd=a1B2c3`,
  ),
}

const Occurrence = z
  .object({
    occurrence_id: string('Its start, ms since 1970.', '1795255200000'),
    start_time: Instant.meta({ example: time }),
    duration: int('Minutes.', 45),
    status: z.literal('available').meta({ description: 'Removed ones are not listed.' }),
  })
  .meta({ id: 'Occurrence', description: 'One of the times of a recurring meeting.' })

export const Meeting = z
  .object({
    ...listed,
    host_email: string("The host's email.", demo.users.owner.email),
    status: z.enum(['waiting', 'started']).meta({
      description: '`started` while it goes on.',
      example: 'waiting',
    }),
    start_time: Instant.optional().meta({
      description: 'ISO 8601, UTC; of type 8 the first occurrence. Absent for types 1, 3 and 4.',
      example: time,
    }),
    start_url: string(
      'Starts it as its host, for two hours; to be kept from participants. To a token that could not start meetings, by `meeting:write:meeting` or `user:read:token`, it is a link for the host, who signs in.',
      `https://auth.example.com/meetings/${demo.meeting}/start?zak=smt_EXAMPLE`,
    ),
    password: string('To join with.', 'a1B2c3'),
    settings: MeetingSettings,
    recurrence: Recurrence.optional(),
    occurrences: z
      .array(Occurrence)
      .optional()
      .meta({ description: 'The times of a meeting of type 8, in order.' }),
  })
  .meta({ id: 'Meeting', description: 'A meeting with all that its host may know.' })

const ListedMeeting = z
  .object({
    ...listed,
    start_time: Instant.optional().meta({
      description:
        'ISO 8601, UTC; of type 8 the first occurrence, in `upcoming` the next. Absent for types 1, 3 and 4.',
      example: time,
    }),
  })
  .meta({ id: 'ListedMeeting', description: 'A meeting in a list.' })

export const MeetingPage = z
  .object({
    ...pageFields,
    total_records: totalRecords,
    meetings: z.array(ListedMeeting).meta({ description: 'Those created last come first.' }),
  })
  .meta({ id: 'MeetingPage', description: 'A page of meetings.' })

/** Which meetings a list holds. */
export const meetingLists = [
  'scheduled',
  'live',
  'upcoming',
  'upcoming_meetings',
  'previous_meetings',
] as const

const about = { auth: 'accessToken', limit: 'resource', tag: 'Meetings' } as const

/** Meetings (OAuth spec §4). */
export const meetingsContract = c.router({
  create: {
    method: 'POST',
    path: '/v2/users/:userId/meetings',
    summary: 'Create a meeting',
    description: `A meeting of type 8 has all its occurrences at once, ${maxOccurrences} at most: every one at the same time on the clocks of its time zone. A time that the clocks skip in spring is moved on by what they skip; of one that they show twice in autumn it is the first. A start in the past is allowed. Of a day that its place has skipped there is no occurrence. With \`schedule_for\` the host is the user that it names.`,
    pathParams: UserPath,
    body: NewMeeting,
    responses: { 201: Meeting, ...platformErrorResponses(400, 404, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.createMeeting }),
  },
  list: {
    method: 'GET',
    path: '/v2/users/:userId/meetings',
    summary: "List a user's meetings",
    description:
      'Those created last come first, and pages never overlap. Ask again with `next_page_token` until it is empty.',
    pathParams: UserPath,
    query: z.object({
      type: emptyAsDefault(z.enum(meetingLists), 'scheduled').meta({
        description:
          '`scheduled`: all but the personal one. `live`: going on. `upcoming`, also `upcoming_meetings`: going on, or with an occurrence that is not over. `previous_meetings`: ended by the host, or with all occurrences over.',
      }),
      ...pageQuery,
    }),
    responses: { 200: MeetingPage, ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.listMeetings }),
  },
  get: {
    method: 'GET',
    path: '/v2/meetings/:meetingId',
    summary: 'Read a meeting',
    description:
      'A meeting of another host needs admin scopes; what the token does not reach is answered like what does not exist.',
    pathParams: MeetingPath,
    responses: { 200: Meeting, ...platformErrorResponses(404) },
    metadata: metadata({ ...about, scopes: endpointScopes.readMeeting }),
  },
  update: {
    method: 'PATCH',
    path: '/v2/meetings/:meetingId',
    summary: 'Change a meeting',
    description:
      'Takes any of what a new meeting takes. Another `start_time`, `duration`, `timezone`, `type` or `recurrence` makes the occurrences of type 8 anew; one that is not named again begins where it began. Types 2, 3 and 8 may become one another. Of a personal meeting only `topic`, `agenda`, `password`, `settings`, `duration` and `timezone` may change. `schedule_for` gives it to another host of the same account.',
    pathParams: MeetingPath,
    body: MeetingChanges,
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.updateMeeting }),
  },
  remove: {
    method: 'DELETE',
    path: '/v2/meetings/:meetingId',
    summary: 'Delete a meeting, or one of its occurrences',
    description:
      'With the last occurrence the meeting goes too. A personal meeting stays as long as its user.',
    pathParams: MeetingPath,
    query: z.object({
      occurrence_id: string(
        'The occurrence to remove; the whole meeting when absent.',
        '1795255200000',
      ).optional(),
    }),
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404, 409) },
    metadata: metadata({ ...about, scopes: endpointScopes.deleteMeeting }),
  },
})
