/** A valid request for each route of the resource API. */

/** Ids on the server that the requests use. */
interface CallIds {
  readonly appId: string
  readonly meetingId: number
}

export interface PlatformCall {
  readonly path: (ids: CallIds) => string
  readonly body?: (unique: string) => object
  /**
   * The status for a token with enough scopes. It is 404 for unknown ids, so that the request can
   * be repeated.
   */
  readonly status: number
}

const none = '00000000-0000-4000-8000-000000000000'

/** Status and body by method and path. Add each new route here. */
const rows: Record<string, [status: number, body?: PlatformCall['body']]> = {
  'GET /v2/users/:userId': [200],
  'PATCH /v2/users/:userId': [204, () => ({ dept: 'Research' })],
  'GET /v2/users/:userId/settings': [200],
  'GET /v2/users/:userId/token': [200],
  'GET /v2/users': [200],
  'POST /v2/users': [
    201,
    (unique) => ({ action: 'create', user_info: { email: `${unique}@acme.test`, type: 1 } }),
  ],
  'DELETE /v2/users/:userId': [404],
  'GET /v2/users/:userId/meetings': [200],
  'POST /v2/users/:userId/meetings': [
    201,
    () => ({ topic: 'Planning', type: 2, start_time: '2030-01-01T10:00:00Z' }),
  ],
  'GET /v2/meetings/:meetingId': [200],
  'PATCH /v2/meetings/:meetingId': [204, () => ({ agenda: 'Goals' })],
  'DELETE /v2/meetings/:meetingId': [404],
  'POST /v2/meetings/:meetingId/content_access': [201, () => ({ content_type: 'audio' })],
  'DELETE /v2/meetings/:meetingId/content_access/:id': [404],
  'GET /v2/meetings/:meetingId/app_indicator': [200],
  'GET /v2/past_meetings/:meetingId': [404],
  'GET /v2/past_meetings/:meetingId/participants': [404],
  'GET /v2/meetings/:meetingId/recordings': [404],
  'GET /v2/recordings/:recordingId/download': [404],
  'POST /v2/im/chat/messages': [
    201,
    () => ({
      robot_jid: 'helper@bots.acme.test',
      to_jid: 'member@acme.test',
      content: { head: { text: 'Hello' } },
    }),
  ],
  'GET /v2/marketplace/apps': [200],
  'POST /v2/marketplace/apps': [
    201,
    (unique) => ({ name: unique, type: 'general', level: 'user' }),
  ],
  'GET /v2/marketplace/apps/:appId': [404],
  'PATCH /v2/marketplace/apps/:appId': [404, () => ({ level: 'user' })],
  'POST /v2/marketplace/apps/:appId/rotate_client_secret': [
    404,
    () => ({ environment: 'development' }),
  ],
  'POST /v2/marketplace/apps/:appId/rotate_secret_token': [404, () => ({})],
  'GET /v2/marketplace/apps/:appId/migration': [404],
  'POST /v2/marketplace/apps/:appId/migration': [404, () => ({ environment: 'development' })],
  'POST /v2/marketplace/apps/:appId/validate_endpoint': [404, () => ({})],
  'GET /v2/marketplace/apps/:appId/deliveries': [404],
  'POST /v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver': [404, () => ({})],
  'GET /v2/marketplace/approvals': [200],
  'PUT /v2/marketplace/approvals/:appId': [200, () => ({ state: 'approved' })],
  'GET /v2/marketplace/settings': [200],
  'PATCH /v2/marketplace/settings': [200, () => ({ require_app_approval: false })],
}

/** Paths that need other parameters than `pathOf` fills in. */
const fixedPaths: Record<string, string> = {
  'GET /v2/users/:userId/token': '/v2/users/me/token?type=zak',
  'DELETE /v2/users/:userId': `/v2/users/${none}`,
  'DELETE /v2/meetings/:meetingId': '/v2/meetings/10000000000',
  'GET /v2/meetings/:meetingId/app_indicator':
    '/v2/meetings/:meetingId/app_indicator?client_version=5.6.7',
  'GET /v2/marketplace/apps/:appId/migration': `/v2/marketplace/apps/${none}/migration?environment=development`,
}

/**
 * Builds the path of a request. Approvals use the server's app; other app routes use an unknown id.
 */
const pathOf = (name: string, { appId, meetingId }: CallIds): string =>
  (fixedPaths[name] ?? name.replace(/^\w+ /, ''))
    .replace(':userId', 'me')
    .replace(':meetingId', String(meetingId))
    .replace('approvals/:appId', `approvals/${appId}`)
    .replace(/:(appId|deliveryId|recordingId|id)/g, none)

export const platformCalls: Record<string, PlatformCall> = Object.fromEntries(
  Object.entries(rows).map(([name, [status, body]]) => [
    name,
    { status, path: (ids: CallIds) => pathOf(name, ids), ...(body && { body }) },
  ]),
)
