/**
 * Scopes of the platform (OAuth spec §2, §9; open-points B). One table, read by the consent page,
 * by the authorization of routes and by the documentation.
 */

/** Whose data a scope opens: the user's own, the account's, its sub-accounts', or chatbot messages. */
export type ScopeLevel = 'user' | 'admin' | 'master' | 'bot'

/** The scope of chatbots, given by the client_credentials grant alone. */
export const chatbotScope = 'imchat:bot'

type Sentences = Partial<Record<ScopeLevel, string>>

/** Granular scopes without their access part, with a sentence for people per level. */
const granular: Record<string, Sentences> = {
  'user:read:user': {
    user: 'See your profile',
    admin: 'See the profiles of all users of the account',
    master: 'See the profiles of all users of the sub-accounts',
  },
  'user:update:user': {
    user: 'Change your profile',
    admin: 'Change the profiles of all users of the account',
    master: 'Change the profiles of all users of the sub-accounts',
  },
  'user:read:token': {
    user: 'Start meetings as you',
    admin: 'Start meetings as any user of the account',
    master: 'Start meetings as any user of the sub-accounts',
  },
  'user:read:list_users': {
    admin: 'See the list of users of the account',
    master: 'See the lists of users of the sub-accounts',
  },
  'user:write:user': {
    admin: 'Add users to the account',
    master: 'Add users to the sub-accounts',
  },
  'user:delete:user': {
    admin: 'Remove users from the account',
    master: 'Remove users from the sub-accounts',
  },
  'meeting:read:meeting': {
    user: 'See the details of your meetings',
    admin: 'See the details of all meetings of the account',
    master: 'See the details of all meetings of the sub-accounts',
  },
  'meeting:update:meeting': {
    user: 'Change your meetings',
    admin: 'Change meetings of all users of the account',
    master: 'Change meetings of all users of the sub-accounts',
  },
  'meeting:delete:meeting': {
    user: 'Delete your meetings',
    admin: 'Delete meetings of all users of the account',
    master: 'Delete meetings of all users of the sub-accounts',
  },
  'meeting:read:list_meetings': {
    user: 'See your meetings',
    admin: 'See the meetings of all users of the account',
    master: 'See the meetings of all users of the sub-accounts',
  },
  'meeting:write:meeting': {
    user: 'Create meetings for you',
    admin: 'Create meetings for all users of the account',
    master: 'Create meetings for all users of the sub-accounts',
  },
  'marketplace:read:app': {
    user: 'See the apps you develop',
    admin: 'See the apps the account develops',
  },
  'marketplace:write:app': {
    user: 'Change the apps you develop',
    admin: 'Change the apps the account develops',
  },
}

/** Classic scopes: legacy, for apps that have not migrated (OAuth spec §9). */
const classic: Record<string, { level: ScopeLevel; sentence: string }> = {
  'user:read': { level: 'user', sentence: 'See your profile and settings' },
  'user:read:admin': { level: 'admin', sentence: 'See all users of the account' },
  'user:write': { level: 'user', sentence: 'See and change your profile and settings' },
  'user:write:admin': { level: 'admin', sentence: 'See and manage all users of the account' },
  'user:master': { level: 'master', sentence: 'See and manage the users of the sub-accounts' },
  'user_info:read': { level: 'user', sentence: 'See your basic profile' },
  user_profile: { level: 'user', sentence: 'See your basic profile' },
  'meeting:read': { level: 'user', sentence: 'See your meetings' },
  'meeting:read:admin': { level: 'admin', sentence: 'See all meetings of the account' },
  'meeting:write': { level: 'user', sentence: 'See and manage your meetings' },
  'meeting:write:admin': { level: 'admin', sentence: 'See and manage all meetings of the account' },
  'meeting:master': {
    level: 'master',
    sentence: 'See and manage the meetings of the sub-accounts',
  },
}

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
  createMeeting: {
    granular: 'meeting:write:meeting',
    classic: ['meeting:write', 'meeting:write:admin', 'meeting:master'],
  },
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
  updateMeeting: {
    granular: 'meeting:update:meeting',
    classic: ['meeting:write', 'meeting:write:admin', 'meeting:master'],
  },
  deleteMeeting: {
    granular: 'meeting:delete:meeting',
    classic: ['meeting:write', 'meeting:write:admin', 'meeting:master'],
  },
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
  const level = classic[classicScope]?.level
  if (level === undefined) return []
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

/** The form `<service>:<action>:<data_claim>` with `:admin` or `:master` behind it or nothing. */
const granularForm =
  /^[a-z][a-z0-9_]*:(read|write|update|delete):[a-z][a-z0-9_]*(:(admin|master))?$/

/** Whether a scope is one of the platform's: in the tables, or a granular one by its form. */
export const isScope = (scope: string): boolean =>
  scope === chatbotScope || isClassicScope(scope) || granularForm.test(scope)

/** Whether a scope is of the legacy kind. */
export const isClassicScope = (scope: string): boolean => Object.hasOwn(classic, scope)

/** Whose data the scope opens (OAuth spec §2). */
export function scopeLevel(scope: string): ScopeLevel {
  if (scope === chatbotScope) return 'bot'
  const known = classic[scope]
  if (known) return known.level
  if (scope.endsWith(':admin')) return 'admin'
  return scope.endsWith(':master') ? 'master' : 'user'
}

/** What a scope allows, as a sentence for people. */
export function describeScope(scope: string): string {
  if (scope === chatbotScope) return 'Send and receive chat messages as a bot'
  const level = scopeLevel(scope)
  const base = scope.replace(/:(admin|master)$/, '')
  return classic[scope]?.sentence ?? granular[base]?.[level] ?? spellOut(base, level)
}

const acts: Record<string, string> = {
  read: 'See',
  write: 'Create',
  update: 'Change',
  delete: 'Delete',
}

const whose: Record<ScopeLevel, string> = {
  user: 'yours',
  admin: 'for the whole account',
  master: 'for all sub-accounts',
  bot: 'as a bot',
}

/** A sentence for a scope that the table has none for, from its parts. */
function spellOut(base: string, level: ScopeLevel): string {
  const [service = '', action = '', claim = ''] = base.split(':')
  return `${acts[action] ?? action} ${service} ${claim.replaceAll('_', ' ')} (${whose[level]})`
}

/** Scopes of a space-separated list, each once, in order (RFC 6749 §3.3). */
export const parseScopes = (text: string): string[] => [
  ...new Set(text.split(' ').filter((scope) => scope !== '')),
]

/** Every scope that has a sentence of its own, for the metadata document and the docs. */
export const scopeCatalogue: readonly { scope: string; level: ScopeLevel; sentence: string }[] = [
  ...Object.entries(granular).flatMap(([base, sentences]) =>
    (['user', 'admin', 'master'] as const).flatMap((level) => {
      const sentence = sentences[level]
      const scope = level === 'user' ? base : `${base}:${level}`
      return sentence === undefined ? [] : [{ scope, level, sentence }]
    }),
  ),
  ...Object.entries(classic).map(([scope, entry]) => ({ scope, ...entry })),
  { scope: chatbotScope, level: 'bot', sentence: describeScope(chatbotScope) },
]
