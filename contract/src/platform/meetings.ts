import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { queryNumber } from '../query-number.ts'
import { c } from '../router.ts'
import { doc, Instant, int, string } from '../schemas.ts'
import { platformErrorResponses } from './errors.ts'
import { emptyAsDefault, numberAsText } from './lenient.ts'
import { MeetingChanges, MeetingSettings, NewMeeting } from './new-meeting.ts'
import { pageFields, pageQuery, totalRecords } from './page.ts'
import { maxOccurrences, Recurrence } from './recurrence.ts'
import { UserPath } from './user.ts'

const MeetingPath = z.object({
  meetingId: z
    .string()
    .min(1)
    .meta(doc('Number of the meeting, digits only.', String(demo.meeting))),
})

const OccurrenceQuery = z.object({
  occurrence_id: numberAsText(z.string()).optional().meta({
    description:
      'One occurrence instead of the whole meeting: its `occurrence_id`, or its planned start as 20261121T100000Z. An id that is no occurrence of the meeting returns 404.',
    example: '1795255200000',
  }),
})

const time = '2026-11-21T10:00:00Z'

/** Fields of a meeting in a list. */
export const meetingFields = {
  uuid: string('Unique id of the meeting.', '4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50'),
  id: z.int().meta({
    description: 'Number of the meeting: 11 digits, or 10 for a personal meeting.',
    example: demo.meeting,
    format: 'int64',
  }),
  host_id: string('Id of the host.', demo.users.owner.id),
  topic: string('Topic.', 'Planning'),
  type: z.literal([1, 2, 3, 4, 8]).meta({
    description:
      '1 is instant, 2 scheduled, 3 recurring without fixed times, 4 personal, 8 recurring at fixed times.',
    example: 2,
  }),
  duration: int('Duration in minutes.', 45),
  timezone: string('IANA time zone.', 'Europe/Berlin'),
  agenda: string('Agenda.', 'Goals'),
  created_at: Instant.meta({ example: time }),
  join_url: string(
    'Address at which participants join.',
    `https://auth.example.com/meetings/${demo.meeting}?pwd=a1B2c3`,
  ),
}

const Occurrence = z
  .object({
    occurrence_id: string(
      'Planned start in milliseconds since 1970. It stays when the occurrence is moved.',
      '1795255200000',
    ),
    start_time: Instant.meta({ example: time }),
    duration: int('Duration in minutes.', 45),
    status: z
      .literal('available')
      .describe('Always `available`; removed occurrences are not listed.'),
  })
  .meta({ id: 'Occurrence', description: 'An occurrence of a recurring meeting.' })

export const Meeting = z
  .object({
    ...meetingFields,
    host_email: string('Email of the host.', demo.users.owner.email),
    status: z
      .enum(['waiting', 'started'])
      .meta(doc('`started` while the meeting is in progress.', 'waiting')),
    start_time: Instant.optional().meta({
      description:
        'Start: ISO 8601, UTC. For type 8, the first occurrence. Absent for types 1, 3 and 4.',
      example: time,
    }),
    start_url: string(
      'Starts the meeting as the host, for two hours. Do not share it with participants. If the token has neither `meeting:write:meeting` nor `user:read:token`, this is a link at which the host signs in.',
      `https://auth.example.com/meetings/${demo.meeting}/start?zak=smt_EXAMPLE`,
    ),
    password: string('Passcode.', 'a1B2c3'),
    settings: MeetingSettings,
    recurrence: Recurrence.optional(),
    occurrences: z
      .array(Occurrence)
      .optional()
      .describe('Occurrences of a meeting of type 8, in order.'),
  })
  .meta({ id: 'Meeting', description: 'A meeting as its host sees it.' })

const ListedMeeting = z
  .object({
    ...meetingFields,
    start_time: Instant.optional().meta({
      description:
        'Start: ISO 8601, UTC. For type 8, the first occurrence, or the next one in `upcoming`. Absent for types 1, 3 and 4.',
      example: time,
    }),
    pmi: string("Number of the host's personal meeting.", '4812345678'),
  })
  .meta({ id: 'ListedMeeting', description: 'A meeting in a list.' })

export const MeetingPage = z
  .object({
    ...pageFields,
    page_count: int('Number of pages, at least 1.', 1),
    page_number: int('Number of this page.', 1),
    total_records: totalRecords,
    meetings: z.array(ListedMeeting).describe('The meetings of this page, newest first.'),
  })
  .meta({ id: 'MeetingPage', description: 'A page of meetings.' })

// Some clients count pages from 0.
const PageNumber = emptyAsDefault(
  queryNumber(
    z
      .int()
      .min(0)
      .max(1_000_000)
      .overwrite((number) => Math.max(1, number)),
  ),
  1,
).meta({
  description:
    'Number of the page; 0 is the first page too. Ignored with `next_page_token`, whose pages never overlap while meetings are added and removed.',
  example: 1,
})

/** Values of `type` in a list of meetings. */
export const meetingLists = [
  'scheduled',
  'live',
  'upcoming',
  'upcoming_meetings',
  'previous_meetings',
] as const

const about = { auth: 'accessToken', limit: 'resource', tag: 'Meetings' } as const

/** Meetings (spec/decisions.md#resource-api-endpoints). */
export const meetingsContract = c.router({
  create: {
    method: 'POST',
    path: '/v2/users/:userId/meetings',
    summary: 'Create a meeting',
    description: `A meeting of type 8 is created with all its occurrences, at most ${maxOccurrences}, each at the same local time in the meeting's time zone. A local time that a daylight saving change skips moves forward by the skipped interval; if a local time occurs twice, the first one applies. A date that the time zone skipped has no occurrence. A start in the past is allowed. \`schedule_for\` names another host.`,
    pathParams: UserPath,
    body: NewMeeting,
    responses: { 201: Meeting, ...platformErrorResponses(400, 404, 413) },
    metadata: metadata({ ...about, isDaily: true, scopes: endpointScopes.createMeeting }),
  },
  list: {
    method: 'GET',
    path: '/v2/users/:userId/meetings',
    summary: "List a user's meetings",
    description: 'Newest first. Repeat the request with `next_page_token` until it is empty.',
    pathParams: UserPath,
    query: z.object({
      type: emptyAsDefault(z.enum(meetingLists), 'scheduled').describe(
        '`scheduled`: all except the personal meeting. `live`: in progress. `upcoming` or `upcoming_meetings`: in progress, or with an occurrence that is not over. `previous_meetings`: ended by the host, or with all occurrences over.',
      ),
      ...pageQuery,
      page_number: PageNumber,
    }),
    responses: { 200: MeetingPage, ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, category: 'medium', scopes: endpointScopes.listMeetings }),
  },
  get: {
    method: 'GET',
    path: '/v2/meetings/:meetingId',
    summary: 'Read a meeting',
    description:
      'Reading a meeting of another host requires admin scopes. A meeting that the token cannot access returns 404. With `occurrence_id`, `start_time`, `duration`, `topic`, `agenda` and `settings` are those of the occurrence.',
    pathParams: MeetingPath,
    query: OccurrenceQuery,
    responses: { 200: Meeting, ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.readMeeting }),
  },
  update: {
    method: 'PATCH',
    path: '/v2/meetings/:meetingId',
    summary: 'Change a meeting',
    description:
      'Accepts any field of a new meeting, and any part of `recurrence`. With `occurrence_id`, `start_time`, `duration`, `topic`, `agenda` and `settings` change that occurrence alone, `timezone` applies to `start_time`, and other fields are ignored. Without it, a change of `start_time`, `timezone` or `recurrence` plans the dates of a meeting of type 8 anew: dates that remain keep their changes and deletions, new dates are added, and others are removed. A change after which only deleted dates would remain is refused. The same dates in other words, other fields and the body of a read keep every occurrence. A change to another `type` removes all occurrences. A new `duration` applies to each occurrence that does not have its own. If `start_time` is omitted or is the shown start, the start stays the same. Types 2, 3 and 8 can be changed into each other. A personal meeting can change only `topic`, `agenda`, `password`, `settings`, `duration` and `timezone`. `schedule_for` transfers the meeting to another host of the same account.',
    pathParams: MeetingPath,
    query: OccurrenceQuery,
    body: MeetingChanges,
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...about, isDaily: true, scopes: endpointScopes.updateMeeting }),
  },
  remove: {
    method: 'DELETE',
    path: '/v2/meetings/:meetingId',
    summary: 'Delete a meeting, or one of its occurrences',
    description:
      'Deleting the last occurrence deletes the meeting. A personal meeting cannot be deleted.',
    pathParams: MeetingPath,
    query: OccurrenceQuery,
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404, 409) },
    metadata: metadata({
      ...about,
      isDaily: true,
      scopes: endpointScopes.deleteMeeting,
      ignores: ['schedule_for_reminder', 'cancel_meeting_reminder'],
    }),
  },
})
