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

/** Every scope that opens each route of the resource API, written out by hand. */
export const opening: Record<string, readonly string[]> = {
  'GET /v2/users/:userId': [
    ...levels('user:read:user'),
    ...['user:read', 'user:read:admin', 'user:write', 'user:write:admin'],
    ...['user_info:read', 'user_profile', 'user:master'],
  ],
  'PATCH /v2/users/:userId': [
    ...levels('user:update:user'),
    'user:write',
    'user:write:admin',
    'user:master',
  ],
  'GET /v2/users/:userId/token': [
    ...levels('user:read:token'),
    ...['user:read', 'user:read:admin', 'user:write', 'user:write:admin'],
    ...['user_profile', 'user:master'],
  ],
  // Calls on the own account: master scopes open the sub-accounts.
  'GET /v2/users': ['user:read:list_users:admin', 'user:read:admin', 'user:write:admin'],
  'POST /v2/users': ['user:write:user:admin', 'user:write:admin'],
  'DELETE /v2/users/:userId': [
    ...['user:delete:user:admin', 'user:delete:user:master'],
    ...['user:write:admin', 'user:master'],
  ],
  'GET /v2/users/:userId/meetings': [
    ...levels('meeting:read:list_meetings'),
    ...['meeting:read', 'meeting:read:admin', 'meeting:master'],
  ],
  'POST /v2/users/:userId/meetings': [
    ...levels('meeting:write:meeting'),
    ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
  ],
  'GET /v2/meetings/:meetingId': [...levels('meeting:read:meeting'), ...anyMeeting],
  'PATCH /v2/meetings/:meetingId': [
    ...levels('meeting:update:meeting'),
    ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
  ],
  'DELETE /v2/meetings/:meetingId': [
    ...levels('meeting:delete:meeting'),
    ...['meeting:write', 'meeting:write:admin', 'meeting:master'],
  ],
  'POST /v2/meetings/:meetingId/content_access': anyMeetingAtAll,
  'DELETE /v2/meetings/:meetingId/content_access/:id': anyMeetingAtAll,
  'GET /v2/meetings/:meetingId/app_indicator': anyMeetingAtAll,
  'POST /v2/im/chat/messages': ['imchat:bot'],
  'GET /v2/marketplace/apps': readApp,
  'POST /v2/marketplace/apps': writeApp,
  'GET /v2/marketplace/apps/:appId': readApp,
  'PATCH /v2/marketplace/apps/:appId': writeApp,
  'POST /v2/marketplace/apps/:appId/rotate_client_secret': writeApp,
  'POST /v2/marketplace/apps/:appId/rotate_secret_token': writeApp,
  'GET /v2/marketplace/apps/:appId/migration': readApp,
  'POST /v2/marketplace/apps/:appId/migration': writeApp,
  'POST /v2/marketplace/apps/:appId/validate_endpoint': writeApp,
  'GET /v2/marketplace/apps/:appId/deliveries': readApp,
  'POST /v2/marketplace/apps/:appId/deliveries/:deliveryId/redeliver': writeApp,
  'GET /v2/marketplace/approvals': readApps,
  'PUT /v2/marketplace/approvals/:appId': writeApps,
  'GET /v2/marketplace/settings': readApps,
  'PATCH /v2/marketplace/settings': writeApps,
}
