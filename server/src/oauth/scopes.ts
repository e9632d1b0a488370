import {
  chatbotScope,
  describeScope,
  granularEquivalents,
  isClassicScope,
  isScope,
  parseScopes,
  replacesClassic,
  scopeLevel,
} from '@skillpass/contract'
import type { OAuthClient } from '../apps/store/clients.ts'
import { fail } from '../errors/failure.ts'

export type DescribedScope = ReturnType<typeof describeScopes>[number]

export const describeScopes = (scopes: readonly string[]) =>
  scopes.map((scope) => ({ scope, level: scopeLevel(scope), sentence: describeScope(scope) }))

/** The scopes that a text asks for; invalid_scope where one is not among those that may be given. */
export function narrowScopes(text: string | undefined, available: readonly string[]): string[] {
  const asked = parseScopes(text ?? '')
  if (asked.length === 0) return [...available]
  const missing = asked.filter((scope) => !available.includes(scope))
  if (missing.length > 0) fail('invalid_scope', missingMessage(missing))
  return asked
}

/** How many scopes a message names: it travels in addresses, which must stay short. */
const maxShown = 5

/** Says which scopes are missing; what a stranger made up is not repeated. */
function missingMessage(scopes: readonly string[]): string {
  if (!scopes.every(isScope)) {
    return 'The request names a scope that does not exist. The documentation lists all scopes at /docs/scopes.'
  }
  const more = scopes.length - maxShown
  const names = scopes.slice(0, maxShown).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `The request asks for scopes that this app or grant does not have: ${names}.`
}

/** What a user is asked for: needed scopes, and those to tick (open-points B). */
export interface RequestedScopes {
  required: string[]
  optional: string[]
}

/**
 * Sorts what an authorization request asks for. Nothing asked is all that the app has registered.
 * Only granular scopes can be optional (OAuth spec §2).
 */
export function requestedScopes(
  client: OAuthClient,
  scope: string | undefined,
  optionalScope: string | undefined,
): RequestedScopes {
  const registered = registeredScopes(client)
  // A bot's messages are no user's to allow.
  const own = client.scopes.filter((one) => one !== chatbotScope)
  const required = scope ? narrowScopes(scope, registered) : own
  const named = optionalScope ? narrowScopes(optionalScope, registered) : []
  if (named.some(isClassicScope)) fail('invalid_scope', 'Only granular scopes can be optional.')
  const optional = scope || optionalScope ? named : client.optionalScopes
  return { required, optional: optional.filter((one) => !required.includes(one)) }
}

export const registeredScopes = ({
  scopes,
  optionalScopes,
}: Pick<OAuthClient, 'scopes' | 'optionalScopes'>): string[] => [...scopes, ...optionalScopes]

export const isRegistered = (client: OAuthClient, scope: string): boolean =>
  registeredScopes(client).includes(scope)

/**
 * Whether approved scopes include these. A classic one includes the granular ones that it is migrated to,
 * which needs no review (OAuth spec §9).
 */
export function covers(approved: readonly string[], scopes: readonly string[]): boolean {
  const migrated = approved.flatMap(granularEquivalents)
  return scopes.every((scope) => approved.includes(scope) || migrated.includes(scope))
}

/**
 * Whether an app still has a scope that was granted before. A classic one lives on until the user
 * authorizes again, in what the app has changed it for (OAuth spec §9).
 */
export function stillHas(client: OAuthClient, scope: string): boolean {
  if (isRegistered(client, scope)) return true
  if (!isClassicScope(scope)) return false
  return registeredScopes(client).some((one) => replacesClassic(one, scope))
}
