/** A call of every route of the resource API that is well-formed, for what all of them must hold. */

/** Ids of a scene that the calls name. */
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

/** The same scope at all levels. */
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
/** Of the own account: master scopes open the sub-accounts. */
const readApps = ['marketplace:read:app:admin']
const writeApps = ['marketplace:write:app:admin']

/** Every route by method and path. A new one must be added here. */
export const platformCalls: Record<string, PlatformCall> = {
  'GET /v2/users/:userId': {
    path: () => '/v2/users/me',
    status: 200,
    opens: [
      ...levels('user:read:user'),
      ...['user:read', 'user:read:admin', 'user:write', 'user:write:admin'],
      ...['user_info:read', 'user_profile', 'user:master'],
    ],
  },
  'PATCH /v2/users/:userId': {
    path: () => '/v2/users/me',
    body: () => ({ dept: 'Research' }),
    status: 204,
    opens: [...levels('user:update:user'), 'user:write', 'user:write:admin', 'user:master'],
  },
  'GET /v2/users/:userId/token': {
    path: () => '/v2/users/me/token?type=zak',
    status: 200,
    opens: [
      ...levels('user:read:token'),
      ...['user:read', 'user:read:admin', 'user:write', 'user:write:admin'],
      ...['user_profile', 'user:master'],
    ],
  },
  'GET /v2/users': {
    path: () => '/v2/users',
    status: 200,
    // Of the own account: master scopes open the sub-accounts.
    opens: ['user:read:list_users:admin', 'user:read:admin', 'user:write:admin'],
  },
  'POST /v2/users': {
    path: () => '/v2/users',
    body: (unique) => ({ action: 'create', user_info: { email: `${unique}@acme.test`, type: 1 } }),
    status: 201,
    opens: ['user:write:user:admin', 'user:write:admin'],
  },
  'DELETE /v2/users/:userId': {
    path: () => `/v2/users/${none}`,
    status: 404,
    opens: [
      ...['user:delete:user:admin', 'user:delete:user:master'],
      ...['user:write:admin', 'user:master'],
    ],
  },
  'GET /v2/users/:userId/meetings': {
    path: () => '/v2/users/me/meetings',
    status: 200,
    opens: [
      ...levels('meeting:read:list_meetings'),
      ...['meeting:read', 'meeting:read:admin', 'meeting:master'],
    ],
  },
  'POST /v2/users/:userId/meetings': {
    path: () => '/v2/users/me/meetings',
    body: () => ({ topic: 'Planning', type: 2, start_time: '2030-01-01T10:00:00Z' }),
    status: 201,
    opens: [
      ...levels('meeting:write:meeting'),
      ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
    ],
  },
  'GET /v2/meetings/:meetingId': {
    path: ({ meetingId }) => `/v2/meetings/${meetingId}`,
    status: 200,
    opens: [...levels('meeting:read:meeting'), ...anyMeeting],
  },
  'PATCH /v2/meetings/:meetingId': {
    path: ({ meetingId }) => `/v2/meetings/${meetingId}`,
    body: () => ({ agenda: 'Goals' }),
    status: 204,
    opens: [
      ...levels('meeting:update:meeting'),
      ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
    ],
  },
  'DELETE /v2/meetings/:meetingId': {
    path: () => '/v2/meetings/10000000000',
    status: 404,
    opens: [
      ...levels('meeting:delete:meeting'),
      ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
    ],
  },
  'POST /v2/meetings/:meetingId/content_access': {
    path: ({ meetingId }) => `/v2/meetings/${meetingId}/content_access`,
    body: () => ({ content_type: 'audio' }),
    status: 201,
    opens: anyMeetingAtAll,
  },
  'DELETE /v2/meetings/:meetingId/content_access/:id': {
    path: ({ meetingId }) => `/v2/meetings/${meetingId}/content_access/${none}`,
    status: 404,
    opens: anyMeetingAtAll,
  },
  'GET /v2/meetings/:meetingId/app_indicator': {
    path: ({ meetingId }) => `/v2/meetings/${meetingId}/app_indicator?client_version=5.6.7`,
    status: 200,
    opens: anyMeetingAtAll,
  },
  'POST /v2/im/chat/messages': {
    path: () => '/v2/im/chat/messages',
    body: () => ({
      robot_jid: 'helper@bots.acme.test',
      to_jid: 'member@acme.test',
      content: { head: { text: 'Hello' } },
    }),
    status: 201,
    opens: ['imchat:bot'],
  },
  'GET /v2/marketplace/apps': {
    path: () => '/v2/marketplace/apps',
    status: 200,
    opens: readApp,
  },
  'POST /v2/marketplace/apps': {
    path: () => '/v2/marketplace/apps',
    body: (unique) => ({ name: unique, type: 'general', level: 'user' }),
    status: 201,
    opens: writeApp,
  },
  'GET /v2/marketplace/apps/:appId': {
    path: () => `/v2/marketplace/apps/${none}`,
    status: 404,
    opens: readApp,
  },
  'PATCH /v2/marketplace/apps/:appId': {
    path: () => `/v2/marketplace/apps/${none}`,
    body: () => ({ level: 'user' }),
    status: 404,
    opens: writeApp,
  },
  'POST /v2/marketplace/apps/:appId/rotate_client_secret': {
    path: () => `/v2/marketplace/apps/${none}/rotate_client_secret`,
    body: () => ({ environment: 'development' }),
    status: 404,
    opens: writeApp,
  },
  'POST /v2/marketplace/apps/:appId/rotate_secret_token': {
    path: () => `/v2/marketplace/apps/${none}/rotate_secret_token`,
    body: () => ({}),
    status: 404,
    opens: writeApp,
  },
  'GET /v2/marketplace/apps/:appId/migration': {
    path: () => `/v2/marketplace/apps/${none}/migration?environment=development`,
    status: 404,
    opens: readApp,
  },
  'POST /v2/marketplace/apps/:appId/migration': {
    path: () => `/v2/marketplace/apps/${none}/migration`,
    body: () => ({ environment: 'development' }),
    status: 404,
    opens: writeApp,
  },
  'POST /v2/marketplace/apps/:appId/validate_endpoint': {
    path: () => `/v2/marketplace/apps/${none}/validate_endpoint`,
    body: () => ({}),
    status: 404,
    opens: writeApp,
  },
  'GET /v2/marketplace/apps/:appId/deliveries': {
    path: () => `/v2/marketplace/apps/${none}/deliveries`,
    status: 404,
    opens: readApp,
  },
  'POST /v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver': {
    path: () => `/v2/marketplace/apps/${none}/deliveries/${none}/redeliver`,
    body: () => ({}),
    status: 404,
    opens: writeApp,
  },
  'GET /v2/marketplace/approvals': {
    path: () => '/v2/marketplace/approvals',
    status: 200,
    opens: readApps,
  },
  'PUT /v2/marketplace/approvals/:appId': {
    path: ({ appId }) => `/v2/marketplace/approvals/${appId}`,
    body: () => ({ state: 'approved' }),
    status: 200,
    opens: writeApps,
  },
  'GET /v2/marketplace/settings': {
    path: () => '/v2/marketplace/settings',
    status: 200,
    opens: readApps,
  },
  'PATCH /v2/marketplace/settings': {
    path: () => '/v2/marketplace/settings',
    body: () => ({ require_app_approval: false }),
    status: 200,
    opens: writeApps,
  },
}
