/** A call of every route of the resource API that is well-formed, for what all of them must hold. */

/** Ids of a server that the calls name. */
export interface CallIds {
  readonly appId: string
  readonly meetingId: number
}

export interface PlatformCall {
  readonly path: (ids: CallIds) => string
  readonly body?: (unique: string) => object
  /** What it answers a token that may: 404 where it names nothing, so that it can be sent again. */
  readonly status: number
  /** Every scope that opens the route, written out by hand (open-points B). */
  readonly opens: readonly string[]
}

const none = '00000000-0000-4000-8000-000000000000'

/** A scope at its three levels. */
const levels = (base: string) => [base, `${base}:admin`, `${base}:master`]

const anyMeeting = [
  ...['meeting:read', 'meeting:read:admin', 'meeting:write', 'meeting:write:admin'],
  'meeting:master',
]
const anyMeetingAtAll = [
  ...levels('meeting:read:meeting'),
  ...levels('meeting:read:list_meetings'),
  ...levels('meeting:write:meeting'),
  ...levels('meeting:update:meeting'),
  ...levels('meeting:delete:meeting'),
  ...anyMeeting,
]
const readApp = levels('marketplace:read:app')
const writeApp = levels('marketplace:write:app')
/** Calls on the own account: master scopes open the sub-accounts. */
const readApps = ['marketplace:read:app:admin']
const writeApps = ['marketplace:write:app:admin']

const call = (
  status: number,
  opens: readonly string[],
  body?: PlatformCall['body'],
): Omit<PlatformCall, 'path'> => ({ status, opens, ...(body && { body }) })

/** Every route by method and path. A new one must be added here. */
const rows = {
  'GET /v2/users/:userId': call(200, [
    ...levels('user:read:user'),
    ...['user:read', 'user:read:admin', 'user:write', 'user:write:admin'],
    ...['user_info:read', 'user_profile', 'user:master'],
  ]),
  'PATCH /v2/users/:userId': call(
    204,
    [...levels('user:update:user'), 'user:write', 'user:write:admin', 'user:master'],
    () => ({ dept: 'Research' }),
  ),
  'GET /v2/users/:userId/token': call(200, [
    ...levels('user:read:token'),
    ...['user:read', 'user:read:admin', 'user:write', 'user:write:admin'],
    ...['user_profile', 'user:master'],
  ]),
  // Calls on the own account: master scopes open the sub-accounts.
  'GET /v2/users': call(200, ['user:read:list_users:admin', 'user:read:admin', 'user:write:admin']),
  'POST /v2/users': call(201, ['user:write:user:admin', 'user:write:admin'], (unique) => ({
    action: 'create',
    user_info: { email: `${unique}@acme.test`, type: 1 },
  })),
  'DELETE /v2/users/:userId': call(404, [
    ...['user:delete:user:admin', 'user:delete:user:master'],
    ...['user:write:admin', 'user:master'],
  ]),
  'GET /v2/users/:userId/meetings': call(200, [
    ...levels('meeting:read:list_meetings'),
    ...['meeting:read', 'meeting:read:admin', 'meeting:master'],
  ]),
  'POST /v2/users/:userId/meetings': call(
    201,
    [
      ...levels('meeting:write:meeting'),
      ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
    ],
    () => ({ topic: 'Planning', type: 2, start_time: '2030-01-01T10:00:00Z' }),
  ),
  'GET /v2/meetings/:meetingId': call(200, [...levels('meeting:read:meeting'), ...anyMeeting]),
  'PATCH /v2/meetings/:meetingId': call(
    204,
    [
      ...levels('meeting:update:meeting'),
      ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
    ],
    () => ({ agenda: 'Goals' }),
  ),
  'DELETE /v2/meetings/:meetingId': call(404, [
    ...levels('meeting:delete:meeting'),
    ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
  ]),
  'POST /v2/meetings/:meetingId/content_access': call(201, anyMeetingAtAll, () => ({
    content_type: 'audio',
  })),
  'DELETE /v2/meetings/:meetingId/content_access/:id': call(404, anyMeetingAtAll),
  'GET /v2/meetings/:meetingId/app_indicator': call(200, anyMeetingAtAll),
  'POST /v2/im/chat/messages': call(201, ['imchat:bot'], () => ({
    robot_jid: 'helper@bots.acme.test',
    to_jid: 'member@acme.test',
    content: { head: { text: 'Hello' } },
  })),
  'GET /v2/marketplace/apps': call(200, readApp),
  'POST /v2/marketplace/apps': call(201, writeApp, (unique) => ({
    name: unique,
    type: 'general',
    level: 'user',
  })),
  'GET /v2/marketplace/apps/:appId': call(404, readApp),
  'PATCH /v2/marketplace/apps/:appId': call(404, writeApp, () => ({
    level: 'user',
  })),
  'POST /v2/marketplace/apps/:appId/rotate_client_secret': call(404, writeApp, () => ({
    environment: 'development',
  })),
  'POST /v2/marketplace/apps/:appId/rotate_secret_token': call(404, writeApp, () => ({})),
  'GET /v2/marketplace/apps/:appId/migration': call(404, readApp),
  'POST /v2/marketplace/apps/:appId/migration': call(404, writeApp, () => ({
    environment: 'development',
  })),
  'POST /v2/marketplace/apps/:appId/validate_endpoint': call(404, writeApp, () => ({})),
  'GET /v2/marketplace/apps/:appId/deliveries': call(404, readApp),
  'POST /v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver': call(
    404,
    writeApp,
    () => ({}),
  ),
  'GET /v2/marketplace/approvals': call(200, readApps),
  'PUT /v2/marketplace/approvals/:appId': call(200, writeApps, () => ({ state: 'approved' })),
  'GET /v2/marketplace/settings': call(200, readApps),
  'PATCH /v2/marketplace/settings': call(200, writeApps, () => ({
    require_app_approval: false,
  })),
}

/** What stands in a path where it is not what `pathOf` puts there, or behind it. */
const elsewhere: Record<string, string> = {
  'GET /v2/users/:userId/token': '/v2/users/me/token?type=zak',
  'DELETE /v2/users/:userId': `/v2/users/${none}`,
  'DELETE /v2/meetings/:meetingId': '/v2/meetings/10000000000',
  'GET /v2/meetings/:meetingId/app_indicator':
    '/v2/meetings/:meetingId/app_indicator?client_version=5.6.7',
  'GET /v2/marketplace/apps/:appId/migration': `/v2/marketplace/apps/${none}/migration?environment=development`,
}

/** The address of a call: approvals are of the server's app, other routes of apps name none. */
const pathOf = (name: string, { appId, meetingId }: CallIds): string =>
  (elsewhere[name] ?? name.replace(/^\w+ /, ''))
    .replace(':userId', 'me')
    .replace(':meetingId', String(meetingId))
    .replace('approvals/:appId', `approvals/${appId}`)
    .replace(/:(appId|deliveryId|id)/g, none)

export const platformCalls: Record<string, PlatformCall> = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [
    name,
    { ...row, path: (ids: CallIds) => pathOf(name, ids) },
  ]),
)
