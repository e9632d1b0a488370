import { type MeetingPage, mcpPaths, platformContract } from '@skillpass/contract'
import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import { fail } from '../errors/failure.ts'
import { readBody } from '../http/body.ts'
import { platformDialect } from '../http/dialects.ts'
import { routeOf, setRoute } from '../http/request.ts'
import { chatHandlers, meetingsHandlers } from '../meetings/routes.ts'
import { authenticateBearer } from '../oauth/http.ts'
import { bearers } from '../people/http.ts'
import { usersHandlers } from '../people/routes.ts'
import type { Context } from '../runtime/context.ts'
import { createMcpEndpoint, createToolServer, isFromOwnHost } from './server.ts'
import { createTool, type Exchange, requestFor, type Tool } from './tool.ts'

const instructions =
  'Reads and changes meetings and the profile of a user of the meeting platform, with the permissions that the user has granted. Times are in UTC unless they have a time zone.'

/** The address of this MCP server, and the vendor's. */
const [address, alias] = mcpPaths

/** Creates the platform's MCP server: its route, and the authentication of its requests. */
export function platformMcp(ctx: Context) {
  const tools = platformTools(ctx)
  const authenticateMcp = authenticateBearer(ctx, 'mcp')
  const respond = createMcpEndpoint(ctx, (exchange) =>
    createToolServer(ctx, exchange, {
      name: 'skillpass-platform',
      title: 'Meeting platform',
      instructions,
      tools,
      isPrivate: false,
      dialect: platformDialect,
    }),
  )
  return {
    routes: {
      call: ({ req, res, body }: Exchange & { body: Record<string, unknown> }) =>
        respond({ req, res }, body),
    },
    /**
     * Checks that the token is for the MCP server and, for a tool call, that it has a scope of the
     * tool, so that a client learns from the HTTP response which scopes to request.
     */
    authenticate: ((req, res, next) => {
      if (!isFromOwnHost(ctx, req)) fail('foreign_site')
      readBody(req, res, (error?: unknown) => {
        // A missing token is reported before a malformed body.
        requireScopesOfTool(req)
        Promise.resolve(authenticateMcp(req, res, () => next(error))).catch(next)
      })
    }) satisfies RequestHandler,
  }

  function requireScopesOfTool(req: Request) {
    const { method, params } = req.body ?? {}
    if (method !== 'tools/call') return
    const tool = tools.find(({ definition }) => definition.name === params?.name)
    if (!tool) return
    const route = routeOf(req)
    setRoute(req, { ...route, metadata: { ...route.metadata, scopes: tool.metadata.scopes } })
  }
}

/** Serves the MCP server at the vendor's address too. */
export const serveAlias: RequestHandler = (req, _res, next) => {
  if (req.path.toLowerCase() === alias) req.url = req.url.replace(/^[^?]*/, address)
  next()
}

const { users, meetings, chat } = platformContract

/** The user of a call. Without the argument, it is the user of the token. */
const UserPath = z.object({ user_id: users.get.pathParams.shape.userId.default('me') })

const MeetingPath = z.object({ meeting_id: meetings.get.pathParams.shape.meetingId })

/** Returns the platform's tools, named as in the vendor's own MCP server where it has them. */
function platformTools(ctx: Context): readonly Tool[] {
  const requestWith = requestFor(ctx, bearers.of)
  return [
    createTool({
      name: 'user_get',
      route: users.get,
      input: { path: UserPath },
      output: users.get.responses[200],
      run: ({ path }, exchange) =>
        usersHandlers.get(requestWith(exchange, { params: { userId: path.user_id } })),
      describe: ({ display_name, email, timezone }) =>
        `${display_name} (${email}), time zone ${timezone}`,
    }),
    createTool({
      name: 'user_update',
      route: users.update,
      input: { path: UserPath, body: users.update.body },
      output: z.void(),
      run: ({ path, body }, exchange) =>
        usersHandlers.update(requestWith(exchange, { params: { userId: path.user_id }, body })),
      describe: () => 'The profile is changed.',
    }),
    createTool({
      name: 'search_meetings',
      route: meetings.list,
      input: { path: UserPath, query: meetings.list.query },
      output: meetings.list.responses[200],
      run: ({ path, query }, exchange) =>
        meetingsHandlers.list(requestWith(exchange, { params: { userId: path.user_id }, query })),
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
      run: ({ path, query }, exchange) =>
        meetingsHandlers.get(
          requestWith(exchange, { params: { meetingId: path.meeting_id }, query }),
        ),
      describe: describeMeeting,
    }),
    createTool({
      name: 'meeting_create',
      route: meetings.create,
      input: { path: UserPath, body: meetings.create.body },
      output: meetings.create.responses[201],
      run: ({ path, body }, exchange) =>
        meetingsHandlers.create(requestWith(exchange, { params: { userId: path.user_id }, body })),
      describe: (meeting) => `Created ${describeMeeting(meeting)}`,
    }),
    createTool({
      name: 'meeting_update',
      route: meetings.update,
      input: { path: MeetingPath, query: meetings.update.query, body: meetings.update.body },
      output: z.void(),
      run: ({ path, query, body }, exchange) =>
        meetingsHandlers.update(
          requestWith(exchange, { params: { meetingId: path.meeting_id }, query, body }),
        ),
      describe: () => 'The meeting or occurrence is changed.',
    }),
    createTool({
      name: 'meeting_delete',
      route: meetings.remove,
      input: { path: MeetingPath, query: meetings.remove.query },
      output: z.void(),
      run: ({ path, query }, exchange) =>
        meetingsHandlers.remove(
          requestWith(exchange, { params: { meetingId: path.meeting_id }, query }),
        ),
      describe: () => 'The meeting or occurrence is deleted.',
    }),
    createTool({
      name: 'chat_message_send',
      route: chat.send,
      input: { body: chat.send.body },
      output: chat.send.responses[201],
      run: ({ body }, exchange) => chatHandlers.send(requestWith(exchange, { body })),
      describe: ({ to_jid, message_id }) => `Sent to ${to_jid}: message ${message_id}`,
    }),
  ]
}

type DescribedMeeting = Pick<
  z.input<typeof MeetingPage>['meetings'][number],
  'id' | 'topic' | 'start_time' | 'duration' | 'timezone' | 'join_url'
>

function describeMeeting(meeting: DescribedMeeting): string {
  const { id, topic, start_time, duration, timezone, join_url } = meeting
  const start = start_time === undefined ? '' : `, starts ${start_time} (${timezone})`
  return `meeting ${id} "${topic}"${start}, ${duration} minutes: ${join_url}`
}
