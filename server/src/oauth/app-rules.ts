import { chatbotScope, isClassicScope, isScope, scopeLevel } from '@skillpass/contract'
import { checkDeauthorizationUrl, checkRedirectUri } from './app-addresses.ts'
import type { AppRecord } from './store/apps.ts'

/** What either set of credentials of an app is registered for. */
export interface ClientSettings {
  scopes: string[]
  /** Those that the user may leave out. */
  optionalScopes: string[]
  redirectUris: string[]
}

/** What a developer decides about an app (OAuth spec §1, §4, §9). */
export interface AppSettings {
  name: string
  type: AppRecord['type']
  /** Whether a user authorizes it for the own data, or an admin for the account's. */
  level: AppRecord['level']
  visibility: AppRecord['visibility']
  deviceFlow: boolean
  /** Has no secret to keep: native and browser apps. */
  publicClient: boolean
  /** Whether every authorization request must bring an S256 challenge. */
  requireS256: boolean
  /** Where the webhook of removals goes (OAuth spec §6), which is yet to come. */
  deauthorizationUrl: string | null
  disabled: boolean
  development: ClientSettings
  production: ClientSettings
}

/** What is wrong with a setting, and where it stands. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Both sets of credentials of an app. */
export const environments = ['development', 'production'] as const

/** Everything that the rules of the platform forbid; `production` as NODE_ENV says. */
export function checkApp(app: AppSettings, production: boolean): Problem[] {
  const problems: Problem[] = []
  const refuse = (path: Problem['path'], message: string) => problems.push({ path, message })
  if (app.type !== 'general') {
    if (app.deviceFlow) refuse(['deviceFlow'], 'only general apps have the device flow')
    if (app.publicClient) refuse(['publicClient'], 'an app that acts by itself needs its secret')
  }
  if (app.publicClient && !app.requireS256) {
    refuse(['requireS256'], 'a public client must use PKCE with S256')
  }
  const address =
    app.deauthorizationUrl && checkDeauthorizationUrl(app.deauthorizationUrl, production)
  if (address) refuse(['deauthorizationUrl'], address)
  for (const environment of environments) {
    const { scopes, optionalScopes, redirectUris } = app[environment]
    scopes.forEach((scope, index) => {
      const problem = checkScope(scope, app)
      if (problem) refuse([environment, 'scopes', index], problem)
    })
    optionalScopes.forEach((scope, index) => {
      const problem = checkScope(scope, app) ?? checkOptional(scope, app)
      if (problem) refuse([environment, 'optionalScopes', index], problem)
    })
    redirectUris.forEach((uri, index) => {
      const problem =
        app.type === 'server-to-server'
          ? 'a server-to-server app sends no user anywhere'
          : checkRedirectUri(uri, production)
      if (problem) refuse([environment, 'redirectUris', index], problem)
    })
  }
  return problems
}

/** Levels of scope (OAuth spec §2; open-points B). */
function checkScope(scope: string, { type, level }: AppSettings): string | undefined {
  if (!isScope(scope)) return `"${scope}" is no scope of the platform`
  if (scope === chatbotScope) {
    return type === 'chatbot' ? undefined : `only chatbots have the scope ${scope}`
  }
  const needed = scopeLevel(scope)
  if (needed === 'user' || type === 'server-to-server' || level === 'account') return undefined
  return `a user-level app cannot have the ${needed} scope ${scope}`
}

function checkOptional(scope: string, { type }: AppSettings): string | undefined {
  if (type === 'server-to-server') return 'nobody chooses scopes of a server-to-server app'
  if (scope === chatbotScope) return `the scope ${scope} cannot be optional`
  return isClassicScope(scope) ? 'only granular scopes can be optional' : undefined
}
