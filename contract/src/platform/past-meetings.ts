import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { c } from '../router.ts'
import { Instant, int, string } from '../schemas.ts'
import { text } from '../text.ts'
import { platformErrorResponses } from './errors.ts'
import { meetingFields } from './meetings.ts'
import { pageFields, pageQuery, totalRecords } from './page.ts'

/** Names an instance: a meeting from its start to its end. */
export const InstancePath = z.object({
  meetingId: text(100)
    .min(1)
    .meta({
      description: 'Number of the meeting, for its last instance, or the `uuid` of an instance.',
      example: String(demo.pastMeeting),
    }),
})

const { id, host_id, topic, type } = meetingFields

export const PastMeeting = z
  .object({
    uuid: string(
      'Id of the instance: the `uuid` of the meeting for its first start, another one for each restart.',
      '4f1c9a52-7c1e-4b0a-9f6a-8a1c2d3e4f50',
    ),
    ...{ id, host_id, topic, type },
    start_time: Instant.describe('When it started.'),
    end_time: Instant.describe('When it ended.'),
    duration: int('Minutes in between, rounded up.', 45),
    user_name: string('Name of the host.', 'Olga Owner'),
    user_email: string('Email of the host.', demo.users.owner.email),
    dept: string('Department of the host.', 'Sales'),
    participants_count: int('Number of participants. Those who join again count again.', 2),
    total_minutes: int('Minutes of all participants together, rounded up.', 85),
  })
  .meta({ id: 'PastMeeting', description: 'An instance of a meeting that has ended.' })

const PastParticipant = z.object({
  id: string('Id of the user. Empty for a guest.', demo.users.member.id),
  user_id: string('Number of the participant in this instance.', '2'),
  name: string('Name.', 'Nina'),
  user_email: string('Email of the user. Empty for a guest.', demo.users.member.email),
  join_time: Instant.describe('When the participant joined.'),
  leave_time: Instant.describe('When the participant left.'),
  duration: int('Seconds in between.', 2400),
  status: z.literal('in_meeting').describe('Always `in_meeting`.'),
})

export const PastParticipantPage = z
  .object({
    ...pageFields,
    page_count: int('Number of pages, at least 1.', 1),
    total_records: totalRecords,
    participants: z.array(PastParticipant).describe('The participants, in the order of joining.'),
  })
  .meta({ id: 'PastParticipantPage', description: 'A page of participants.' })

const about = { auth: 'accessToken', limit: 'resource', tag: 'Meetings' } as const
const list = { ...about, category: 'medium' } as const

/** Meetings that have taken place. */
export const pastMeetingsContract = c.router({
  get: {
    method: 'GET',
    path: '/v2/past_meetings/:meetingId',
    summary: 'Read a past meeting',
    description: 'A meeting that has not ended returns 404, like one that the token cannot access.',
    pathParams: InstancePath,
    responses: { 200: PastMeeting, ...platformErrorResponses(404) },
    metadata: metadata({ ...about, scopes: endpointScopes.readPastMeeting }),
  },
  listParticipants: {
    method: 'GET',
    path: '/v2/past_meetings/:meetingId/participants',
    summary: 'List the participants of a past meeting',
    description: 'Repeat the request with `next_page_token` until it is empty.',
    pathParams: InstancePath,
    query: z.object(pageQuery),
    responses: { 200: PastParticipantPage, ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...list, scopes: endpointScopes.listPastParticipants }),
  },
})
