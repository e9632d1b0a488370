import { chatbotScope, isClassicScope, scopeCatalogue, scopeLevel } from '@skillpass/contract'
import type { AppSettings, ClientSettings } from '../../apps/settings.ts'
import { type DescribedScope, describeScopes } from '../../oauth/scopes.ts'

/** What a developer decides about a scope: users must allow it, may leave it out, or are not asked. */
type ScopeChoice = 'off' | 'required' | 'optional'

export interface ScopeRow extends DescribedScope {
  choice: ScopeChoice
  choices: readonly ScopeChoice[]
  isClassic: boolean
}

type Kind = Pick<AppSettings, 'type' | 'level'>
type Registered = Pick<ClientSettings, 'scopes' | 'optionalScopes'>

/** The scopes to choose from for an app of this kind: those offered, and those it has already. */
export function scopeRows(app: Kind, registered: Registered): ScopeRow[] {
  const all = new Set([...offeredScopes(app), ...registered.scopes, ...registered.optionalScopes])
  return describeScopes([...all]).map((described) => ({
    ...described,
    choice: choiceOf(registered, described.scope),
    choices: choicesOf(app, described.scope),
    isClassic: isClassicScope(described.scope),
  }))
}

function choiceOf({ scopes, optionalScopes }: Registered, scope: string): ScopeChoice {
  if (optionalScopes.includes(scope)) return 'optional'
  return scopes.includes(scope) ? 'required' : 'off'
}

/**
 * Only granular scopes can be optional (OAuth spec §2), and only where a user is asked. A chatbot is
 * one by its scope, so nothing is to be decided about that.
 */
function choicesOf({ type }: Kind, scope: string): readonly ScopeChoice[] {
  if (scope === chatbotScope) return []
  const isAsked = type !== 'server-to-server' && !isClassicScope(scope)
  return isAsked ? ['off', 'required', 'optional'] : ['off', 'required']
}

/** Granular scopes are for new choices, classic ones for apps that have them (OAuth spec §9). */
function offeredScopes({ type, level }: Kind): string[] {
  const reachesAll = type === 'server-to-server' || level === 'account'
  return scopeCatalogue
    .map(({ scope }) => scope)
    .filter((scope) => !isClassicScope(scope) && (scope !== chatbotScope || type === 'chatbot'))
    .filter((scope) => reachesAll || ['user', 'bot'].includes(scopeLevel(scope)))
}

export const choiceField = (scope: string): string => `pick ${scope}`

/** Where an issue with a list of these scopes stands. */
export function placeOfScope(registered: Registered, [key, index]: readonly string[]) {
  const list = key === 'optionalScopes' ? registered.optionalScopes : registered.scopes
  return { field: choiceField(list[Number(index)] ?? '') }
}

/** What a form decides; a scope that it says nothing of stays as it is. */
export function readScopeChoices(
  rows: readonly ScopeRow[],
  read: (field: string) => string,
): Registered {
  const decided = rows.map(({ scope, choice, choices }) => {
    const given = read(choiceField(scope))
    // A choice that this kind of app has not is the nearest that it has.
    const wanted = given === 'optional' && !choices.includes('optional') ? 'required' : given
    return { scope, choice: choices.find((one) => one === wanted) ?? choice }
  })
  const of = (choice: ScopeChoice) =>
    decided.filter((row) => row.choice === choice).map(({ scope }) => scope)
  return { scopes: of('required'), optionalScopes: of('optional') }
}
