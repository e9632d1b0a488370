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
import { fail } from '../errors/failure.ts'
import type { OAuthClient } from '../store/oauth/clients.ts'

export type DescribedScope = ReturnType<typeof describeScopes>[number]

export const describeScopes = (scopes: readonly string[]) =>
  scopes.map((scope) => ({ scope, level: scopeLevel(scope), sentence: describeScope(scope) }))

/** Returns the requested scopes, by default all available ones. Throws invalid_scope. */
export function narrowScopes(text: string | undefined, available: readonly string[]): string[] {
  const requested = parseScopes(text ?? '')
  if (requested.length === 0) return [...available]
  const missing = requested.filter((scope) => !available.includes(scope))
  if (missing.length > 0) fail('invalid_scope', missingMessage(missing))
  return requested
}

/** Maximum number of scopes in a message, because messages are sent in redirect addresses. */
const maxShown = 5

/** Names the missing scopes. Unknown scopes are not repeated. */
function missingMessage(scopes: readonly string[]): string {
  if (!scopes.every(isScope)) {
    return 'The request names a scope that does not exist. The documentation lists all scopes at /docs/scopes.'
  }
  const more = scopes.length - maxShown
  const names = scopes.slice(0, maxShown).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `The request asks for scopes that this app or grant does not have: ${names}.`
}

/** Scopes that the user is asked to allow (spec/decisions.md#authorize). */
export interface RequestedScopes {
  required: string[]
  optional: string[]
}

/**
 * Returns the required and optional scopes of an authorization request. Without `scope` and
 * `optionalScope`, these are the scopes that the app has registered. Only granular scopes can be
 * optional (spec/oauth.md#scopes).
 */
export function requestedScopes(
  client: OAuthClient,
  scope: string | undefined,
  optionalScope: string | undefined,
): RequestedScopes {
  const registered = registeredScopes(client)
  // Users cannot grant the chatbot scope.
  const grantable = client.scopes.filter((one) => one !== chatbotScope)
  const required = scope ? narrowScopes(scope, registered) : grantable
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
 * Whether approved scopes include these. A classic scope includes the granular scopes that replace
 * it in a migration, which needs no new approval (spec/oauth.md#migration-to-granular-scopes).
 */
export function covers(approved: readonly string[], scopes: readonly string[]): boolean {
  const migrated = approved.flatMap(granularEquivalents)
  return scopes.every((scope) => approved.includes(scope) || migrated.includes(scope))
}

/**
 * Whether an app still has a scope that was granted earlier. A classic scope stays valid while the
 * app has a granular scope that replaces it (spec/oauth.md#migration-to-granular-scopes).
 */
export function stillHas(client: OAuthClient, scope: string): boolean {
  if (isRegistered(client, scope)) return true
  if (!isClassicScope(scope)) return false
  return registeredScopes(client).some((one) => replacesClassic(one, scope))
}
