/**
 * Level of a scope: data of the user, the account or its sub-accounts, or messages of a chatbot.
 */
export type ScopeLevel = 'user' | 'admin' | 'master' | 'bot'

/** The scope of chatbots, which only the client_credentials grant issues. */
export const chatbotScope = 'imchat:bot'

type Sentences = Partial<Record<ScopeLevel, string>>

/** The sentence of admins names the account in place of …, that of masters the sub-accounts. */
const levels = (others: string, user?: string): Sentences => ({
  ...(user !== undefined && { user }),
  admin: others.replace('…', 'the account'),
  master: others.replace('…', 'the sub-accounts'),
})

/** Granular scopes without their access part, with the text of the consent page for each level. */
const granular: Record<string, Sentences> = {
  'user:read:user': levels('See the profiles of all users of …', 'See your profile'),
  'user:update:user': levels('Change the profiles of all users of …', 'Change your profile'),
  'user:read:token': levels('Start meetings as any user of …', 'Start meetings as you'),
  'user:read:settings': levels(
    'See the settings of all users of …',
    'See your settings for meetings',
  ),
  'user:read:list_users': {
    admin: 'See the list of users of the account',
    master: 'See the lists of users of the sub-accounts',
  },
  'user:write:user': levels('Add users to …'),
  'user:delete:user': levels('Remove users from …'),
  'meeting:read:meeting': levels(
    'See the details of all meetings of …',
    'See the details of your meetings',
  ),
  'meeting:update:meeting': levels('Change meetings of all users of …', 'Change your meetings'),
  'meeting:delete:meeting': levels('Delete meetings of all users of …', 'Delete your meetings'),
  'meeting:read:list_meetings': levels('See the meetings of all users of …', 'See your meetings'),
  'meeting:read:past_meeting': levels(
    'See when the meetings of … took place',
    'See when your meetings took place',
  ),
  'meeting:read:list_past_participants': levels(
    'See who was in the meetings of …',
    'See who was in your meetings',
  ),
  'cloud_recording:read:list_recording_files': levels(
    'See and download all recordings of …',
    'See and download your recordings',
  ),
  'meeting:write:meeting': levels('Create meetings for all users of …', 'Create meetings for you'),
  'marketplace:read:app': {
    user: 'See the apps you develop',
    admin: 'See the apps the account develops',
    master: 'See the apps the account develops for its sub-accounts',
  },
  'marketplace:write:app': {
    user: 'Change the apps you develop',
    admin: 'Change the apps the account develops',
    master: 'Change the apps the account develops for its sub-accounts',
  },
}

/** Classic scopes, which are legacy (spec/oauth.md#versioning). */
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
  'recording:read': { level: 'user', sentence: 'See and download your recordings' },
  'recording:read:admin': {
    level: 'admin',
    sentence: 'See and download all recordings of the account',
  },
}

export const isClassicScope = (scope: string): boolean => Object.hasOwn(classic, scope)

export function scopeLevel(scope: string): ScopeLevel {
  if (scope === chatbotScope) return 'bot'
  const known = classic[scope]
  if (known) return known.level
  if (scope.endsWith(':admin')) return 'admin'
  return scope.endsWith(':master') ? 'master' : 'user'
}

/** Parses a space-separated list of scopes and removes duplicates (RFC 6749 §3.3). */
export const parseScopes = (text: string): string[] => [
  ...new Set(text.split(' ').filter((scope) => scope !== '')),
]

/** Every scope of the platform (spec/oauth.md#scopes). */
export const scopeCatalogue: readonly { scope: string; level: ScopeLevel; sentence: string }[] = [
  ...Object.entries(granular).flatMap(([base, sentences]) =>
    (['user', 'admin', 'master'] as const).flatMap((level) => {
      const sentence = sentences[level]
      const scope = level === 'user' ? base : `${base}:${level}`
      return sentence === undefined ? [] : [{ scope, level, sentence }]
    }),
  ),
  ...Object.entries(classic).map(([scope, entry]) => ({ scope, ...entry })),
  { scope: chatbotScope, level: 'bot', sentence: 'Send and receive chat messages as a bot' },
]

const sentenceOf = new Map(scopeCatalogue.map(({ scope, sentence }) => [scope, sentence]))

export const isScope = (scope: string): boolean => sentenceOf.has(scope)

/** Returns the text of a scope on the consent page. */
export const describeScope = (scope: string): string =>
  sentenceOf.get(scope) ?? 'Unknown scope; it allows nothing'
