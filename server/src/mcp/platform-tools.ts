import { type MeetingPage, platformContract } from '@skillpass/contract'
import { z } from 'zod'
import { forRequest } from '../audit/for-request.ts'
import { findVisibleUser } from '../platform/bearer.ts'
import { sendMessage } from '../platform/chat.ts'
import type { PlatformContext } from '../platform/context.ts'
import {
  createMeeting,
  getMeeting,
  listMeetings,
  removeMeeting,
  updateMeeting,
} from '../platform/meetings.ts'
import { bearerOf } from '../platform/routes/bearer.ts'
import { serializeChatMessage } from '../platform/routes/chat.ts'
import { serializeMeeting, serializeMeetingPage } from '../platform/serialize/meeting.ts'
import { serializeUser } from '../platform/serialize/user.ts'
import { describeUserDetails, updateUser } from '../platform/users.ts'
import { createTool, type Tool } from './tool.ts'

const { users, meetings, chat } = platformContract

/** The user of a call. Without the argument, it is the user of the token. */
const UserPath = z.object({ user_id: users.get.pathParams.shape.userId.default('me') })

const MeetingPath = z.object({ meeting_id: meetings.get.pathParams.shape.meetingId })

/** Returns the platform's tools, named as in the vendor's own MCP server where it has them. */
export const platformTools = (ctx: PlatformContext): readonly Tool[] => [
  createTool({
    name: 'user_get',
    route: users.get,
    input: { path: UserPath },
    output: users.get.responses[200],
    run: async ({ path }, { res }) => {
      const bearer = bearerOf(res)
      const user = await findVisibleUser(ctx, bearer, path.user_id)
      return serializeUser(user, await describeUserDetails(ctx, bearer, user))
    },
    describe: ({ display_name, email, timezone }) =>
      `${display_name} (${email}), time zone ${timezone}`,
  }),
  createTool({
    name: 'user_update',
    route: users.update,
    input: { path: UserPath, body: users.update.body },
    output: z.void(),
    run: async ({ path, body }, { req, res }) => {
      const user = await findVisibleUser(ctx, bearerOf(res), path.user_id)
      return updateUser(forRequest(ctx, req), user, body)
    },
    describe: () => 'The profile is changed.',
  }),
  createTool({
    name: 'search_meetings',
    route: meetings.list,
    input: { path: UserPath, query: meetings.list.query },
    output: meetings.list.responses[200],
    run: async ({ path, query }, { res }) =>
      serializeMeetingPage(ctx, query, await listMeetings(ctx, bearerOf(res), path.user_id, query)),
    describe: ({ total_records, meetings, next_page_token }) =>
      [
        `Meetings: ${total_records}`,
        ...meetings.map(describeMeeting),
        ...(next_page_token ? [`More with next_page_token ${next_page_token}.`] : []),
      ].join('\n'),
  }),
  createTool({
    name: 'meeting_get',
    route: meetings.get,
    input: { path: MeetingPath, query: meetings.get.query },
    output: meetings.get.responses[200],
    run: async ({ path, query }, { res }) =>
      serializeMeeting(
        ctx,
        await getMeeting(ctx, bearerOf(res), path.meeting_id, query.occurrence_id),
      ),
    describe: describeMeeting,
  }),
  createTool({
    name: 'meeting_create',
    route: meetings.create,
    input: { path: UserPath, body: meetings.create.body },
    output: meetings.create.responses[201],
    run: async ({ path, body }, { req, res }) => {
      const scoped = forRequest(ctx, req)
      return serializeMeeting(ctx, await createMeeting(scoped, bearerOf(res), path.user_id, body))
    },
    describe: (meeting) => `Created ${describeMeeting(meeting)}`,
  }),
  createTool({
    name: 'meeting_update',
    route: meetings.update,
    input: {
      path: MeetingPath,
      query: meetings.update.query,
      body: meetings.update.body,
    },
    output: z.void(),
    run: async ({ path, query, body }, { req, res }) =>
      updateMeeting(
        forRequest(ctx, req),
        bearerOf(res),
        path.meeting_id,
        query.occurrence_id,
        body,
      ),
    describe: () => 'The meeting or occurrence is changed.',
  }),
  createTool({
    name: 'meeting_delete',
    route: meetings.remove,
    input: { path: MeetingPath, query: meetings.remove.query },
    output: z.void(),
    run: async ({ path, query }, { req, res }) =>
      removeMeeting(forRequest(ctx, req), bearerOf(res), path.meeting_id, query.occurrence_id),
    describe: () => 'The meeting or occurrence is deleted.',
  }),
  createTool({
    name: 'chat_message_send',
    route: chat.send,
    input: { body: chat.send.body },
    output: chat.send.responses[201],
    run: async ({ body }, { req, res }) =>
      serializeChatMessage(await sendMessage(forRequest(ctx, req), bearerOf(res), body)),
    describe: ({ to_jid, message_id }) => `Sent to ${to_jid}: message ${message_id}`,
  }),
]

type DescribedMeeting = Pick<
  z.input<typeof MeetingPage>['meetings'][number],
  'id' | 'topic' | 'start_time' | 'duration' | 'timezone' | 'join_url'
>

function describeMeeting(meeting: DescribedMeeting): string {
  const { id, topic, start_time, duration, timezone, join_url } = meeting
  const start = start_time === undefined ? '' : `, starts ${start_time} (${timezone})`
  return `meeting ${id} "${topic}"${start}, ${duration} minutes: ${join_url}`
}
