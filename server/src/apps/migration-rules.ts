import { granularEquivalents, isClassicScope } from '@skillpass/contract'
import type { ClientSettings } from './settings.ts'
import type { AppEnvironment } from './store/clients.ts'

/** What a set of credentials is registered for, of scopes. */
type RegisteredScopes = Pick<ClientSettings, 'scopes' | 'optionalScopes'>

/** What becomes of a set of credentials whose classic scopes go (OAuth spec §9). */
export interface ScopeMigration extends RegisteredScopes {
  /** Each classic scope with the granular ones in its place. */
  readonly changes: { from: string; to: string[] }[]
}

/**
 * Puts granular scopes of the same level in the place of classic ones. What is optional stays so:
 * a granular scope that the user may leave out already is not made a needed one.
 */
export function migrationOf({ scopes, optionalScopes }: RegisteredScopes): ScopeMigration {
  const optional = new Set(optionalScopes.flatMap(replacementOf))
  const needed = new Set(scopes.flatMap(replacementOf).filter((scope) => !optional.has(scope)))
  const classic = [...scopes, ...optionalScopes].filter(isClassicScope)
  return {
    changes: classic.map((from) => ({ from, to: granularEquivalents(from) })),
    scopes: [...needed],
    optionalScopes: [...optional],
  }
}

const replacementOf = (scope: string): string[] =>
  isClassicScope(scope) ? granularEquivalents(scope) : [scope]

/** Why a set of credentials cannot be migrated now. */
export type ScopeMigrationRefusal = 'nothing-to-migrate' | 'development-first'

/** What keeps the scopes of an app from being migrated: development goes first (OAuth spec §9). */
export function migrationRefusal(
  app: Record<AppEnvironment, RegisteredScopes>,
  environment: AppEnvironment,
): ScopeMigrationRefusal | undefined {
  const registered = ({ scopes, optionalScopes }: RegisteredScopes) => [
    ...scopes,
    ...optionalScopes,
  ]
  if (!registered(app[environment]).some(isClassicScope)) return 'nothing-to-migrate'
  if (environment === 'development') return undefined
  const first = registered(app.development)
  return first.length > 0 && !first.some(isClassicScope) ? undefined : 'development-first'
}
