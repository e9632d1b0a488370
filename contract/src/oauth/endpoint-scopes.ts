import { chatbotScope, isClassicScope, type ScopeLevel, scopeLevel } from './scopes.ts'

/**
 * The scopes that open an endpoint: a granular scope at any level, or any of the classic scopes.
 */
export interface ScopeRequirement {
  /** A granular scope without its access part, or the complete scope of chatbots. */
  readonly granular: string
  readonly classic: readonly string[]
  /** Minimum level, if it is above the user level. */
  readonly from?: 'admin'
  /** Further granular scopes that open the endpoint. With them, the row defines no equivalence. */
  readonly others?: readonly string[]
}

const classicUser = ['user:read', 'user:read:admin', 'user:write', 'user:write:admin'] as const

const classicMeeting = [
  'meeting:read',
  'meeting:read:admin',
  'meeting:write',
  'meeting:write:admin',
  'meeting:master',
] as const

const classicMeetingRead = ['meeting:read', 'meeting:read:admin', 'meeting:master'] as const

const classicMeetingWrite = ['meeting:write', 'meeting:write:admin', 'meeting:master'] as const

/**
 * Scopes that open each endpoint of the resource API
 * (spec/decisions.md#scopes-of-the-resource-api). Authorization, the migration of apps and the
 * documentation read this table. A classic scope and its granular equivalents open the same
 * endpoints.
 */
export const endpointScopes = {
  readUser: {
    granular: 'user:read:user',
    classic: [...classicUser, 'user_info:read', 'user_profile', 'user:master'],
  },
  updateUser: {
    granular: 'user:update:user',
    classic: ['user:write', 'user:write:admin', 'user:master'],
  },
  /** The settings are not secret, so the scope of the profile opens them too. */
  readUserSettings: {
    granular: 'user:read:settings',
    classic: [...classicUser, 'user:master'],
    others: ['user:read:user'],
  },
  readUserToken: {
    granular: 'user:read:token',
    classic: [...classicUser, 'user_profile', 'user:master'],
  },
  listMeetings: { granular: 'meeting:read:list_meetings', classic: classicMeetingRead },
  createMeeting: { granular: 'meeting:write:meeting', classic: classicMeetingWrite },
  listUsers: {
    granular: 'user:read:list_users',
    classic: ['user:read:admin', 'user:write:admin', 'user:master'],
    from: 'admin',
  },
  createUser: {
    granular: 'user:write:user',
    classic: ['user:write:admin', 'user:master'],
    from: 'admin',
  },
  removeUser: {
    granular: 'user:delete:user',
    classic: ['user:write:admin', 'user:master'],
    from: 'admin',
  },
  readMeeting: { granular: 'meeting:read:meeting', classic: classicMeeting },
  updateMeeting: { granular: 'meeting:update:meeting', classic: classicMeetingWrite },
  deleteMeeting: { granular: 'meeting:delete:meeting', classic: classicMeetingWrite },
  readPastMeeting: { granular: 'meeting:read:past_meeting', classic: classicMeetingRead },
  listPastParticipants: {
    granular: 'meeting:read:list_past_participants',
    classic: classicMeetingRead,
  },
  listRecordings: {
    granular: 'cloud_recording:read:list_recording_files',
    classic: ['recording:read', 'recording:read:admin'],
  },
  /** Any meeting scope (spec/decisions.md#in-meeting-indicator). */
  accessContent: {
    granular: 'meeting:read:meeting',
    classic: classicMeeting,
    others: [
      'meeting:read:list_meetings',
      'meeting:write:meeting',
      'meeting:update:meeting',
      'meeting:delete:meeting',
    ],
  },
  /** Any scope of a tool. Each call needs the scope of its tool (spec/decisions.md#resources). */
  mcp: {
    granular: 'user:read:user',
    classic: [...classicMeeting, 'user:read', 'user:write'],
    others: [
      'user:update:user',
      'meeting:read:list_meetings',
      'meeting:read:meeting',
      'meeting:write:meeting',
      'meeting:update:meeting',
      'meeting:delete:meeting',
      chatbotScope,
    ],
  },
  sendChatMessage: { granular: chatbotScope, classic: [] },
  readApp: { granular: 'marketplace:read:app', classic: [] },
  writeApp: { granular: 'marketplace:write:app', classic: [] },
  readApproval: { granular: 'marketplace:read:app', classic: [], from: 'admin' },
  writeApproval: { granular: 'marketplace:write:app', classic: [], from: 'admin' },
} as const satisfies Record<string, ScopeRequirement>

const reach: Record<ScopeLevel, number> = { bot: 0, user: 1, admin: 2, master: 3 }

/**
 * Whether a granular scope replaces a classic one: it opens one of the same endpoints, has at least
 * the same level, and is not read-only if the classic scope allows writing.
 */
export const replacesClassic = (granularScope: string, classicScope: string): boolean =>
  reach[scopeLevel(granularScope)] >= reach[scopeLevel(classicScope)] &&
  !(granularScope.includes(':read:') && classicScope.includes(':write')) &&
  equivalences.some(
    ({ granular, classic }) =>
      granular === granularScope.replace(/:(admin|master)$/, '') && classic.includes(classicScope),
  )

// Only rows without `others` map a classic scope to one granular scope.
const equivalences = Object.values<ScopeRequirement>(endpointScopes).filter(
  ({ others }) => others === undefined,
)

/**
 * Returns the granular scopes that replace a classic scope: those of the endpoints that it opens,
 * at the same level (spec/oauth.md#migration-to-granular-scopes). Empty if the scope is not
 * classic.
 */
export function granularEquivalents(classicScope: string): string[] {
  if (!isClassicScope(classicScope)) return []
  const level = scopeLevel(classicScope)
  const suffix = level === 'user' ? '' : `:${level}`
  const scopes = equivalences
    .filter((row) => row.classic.includes(classicScope))
    .map(({ granular }) => granular + suffix)
  return [...new Set(scopes)]
}

/** Returns every scope that opens an endpoint. */
export function openingScopes(requirement: ScopeRequirement): string[] {
  const { granular, classic, from, others = [] } = requirement
  if (granular === chatbotScope) return [granular]
  const levels = from === 'admin' ? [':admin', ':master'] : ['', ':admin', ':master']
  return [
    ...[granular, ...others].flatMap((base) => levels.map((level) => base + level)),
    ...classic,
  ]
}
