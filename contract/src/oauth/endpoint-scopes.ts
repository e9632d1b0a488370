import { chatbotScope, isClassicScope, type ScopeLevel, scopeLevel } from './scopes.ts'

/**
 * Which scopes open which endpoint of the resource API (OAuth spec §2, §9; open-points B). One table,
 * read by the authorization of routes, by the migration of apps and by the documentation.
 */

/** What opens an endpoint: a granular scope of any access level, or any of the classic ones. */
export interface ScopeRequirement {
  /** A granular scope without its access part; or a scope that is complete, as the chatbots' is. */
  readonly granular: string
  readonly classic: readonly string[]
  /** The level that it takes at least, where that is more than the user's own. */
  readonly from?: 'admin'
  /** Other granular scopes that open it too. They and the classic ones are no equivalents then. */
  readonly others?: readonly string[]
}

const classicMeeting = [
  'meeting:read',
  'meeting:read:admin',
  'meeting:write',
  'meeting:write:admin',
  'meeting:master',
] as const

const classicMeetingWrite = ['meeting:write', 'meeting:write:admin', 'meeting:master'] as const

/**
 * Which scopes open which endpoint of the resource API (the table of open-points B, and what it
 * leaves open). A classic scope and its granular equivalents open the same endpoints.
 */
export const endpointScopes = {
  readUser: {
    granular: 'user:read:user',
    classic: [
      'user:read',
      'user:read:admin',
      'user:write',
      'user:write:admin',
      'user_info:read',
      'user_profile',
      'user:master',
    ],
  },
  updateUser: {
    granular: 'user:update:user',
    classic: ['user:write', 'user:write:admin', 'user:master'],
  },
  readUserToken: {
    granular: 'user:read:token',
    classic: [
      'user:read',
      'user:read:admin',
      'user:write',
      'user:write:admin',
      'user_profile',
      'user:master',
    ],
  },
  listMeetings: {
    granular: 'meeting:read:list_meetings',
    classic: ['meeting:read', 'meeting:read:admin', 'meeting:master'],
  },
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
  /** Any scope about meetings (open-points E). */
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
  sendChatMessage: { granular: chatbotScope, classic: [] },
  readApp: { granular: 'marketplace:read:app', classic: [] },
  writeApp: { granular: 'marketplace:write:app', classic: [] },
  readApproval: { granular: 'marketplace:read:app', classic: [], from: 'admin' },
  writeApproval: { granular: 'marketplace:write:app', classic: [], from: 'admin' },
} as const satisfies Record<string, ScopeRequirement>

const reach: Record<ScopeLevel, number> = { bot: 0, user: 1, admin: 2, master: 3 }

/**
 * Whether a granular scope stands for a classic one: it opens an endpoint that the classic one
 * opens, reaches as far, and does not only read where that one writes (OAuth spec §9).
 */
export const replacesClassic = (granularScope: string, classicScope: string): boolean =>
  reach[scopeLevel(granularScope)] >= reach[scopeLevel(classicScope)] &&
  !(granularScope.includes(':read:') && classicScope.includes(':write')) &&
  equivalences.some(
    ({ granular, classic }) =>
      granular === granularScope.replace(/:(admin|master)$/, '') && classic.includes(classicScope),
  )

/** The rows of the table that say which granular scope does what a classic one does. */
const equivalences = Object.values<ScopeRequirement>(endpointScopes).filter(
  ({ others }) => others === undefined,
)

/**
 * The granular scopes that a classic one is migrated to: those of the endpoints that it opens, at its
 * own level (OAuth spec §9). Empty for a scope that is not classic.
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

/** Every scope that opens an endpoint: for the message of a refusal, and to compare. */
export function openingScopes(requirement: ScopeRequirement): string[] {
  const { granular, classic, from, others = [] } = requirement
  if (granular === chatbotScope) return [granular]
  const levels = from === 'admin' ? [':admin', ':master'] : ['', ':admin', ':master']
  return [
    ...[granular, ...others].flatMap((base) => levels.map((level) => base + level)),
    ...classic,
  ]
}
