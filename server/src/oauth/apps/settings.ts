import {
  bounds,
  chatbotScope,
  isClassicScope,
  isScope,
  label,
  scopeLevel,
} from '@skillpass/contract'
import type { Config } from '../../runtime/config/config.ts'
import type { AppRecord } from '../../store/oauth/apps.ts'
import type { AppEnvironment, Clients } from '../../store/oauth/clients.ts'
import { snakeName, withoutUndefined } from '../../text/case.ts'
import { checkDeauthorizationUrl, checkRedirectUri, needsOperator } from '../addresses.ts'
import { registeredScopes } from '../scopes.ts'

export type { AppEnvironment }

export interface ClientSettings {
  scopes: string[]
  /** Scopes that the user can decline. */
  optionalScopes: string[]
  redirectUris: string[]
}

const ownFields = [
  'name',
  'level',
  'visibility',
  'deviceFlow',
  'publicClient',
  'requireS256',
  'deauthorizationUrl',
] as const

export type AppSettings = Pick<AppRecord, 'type' | 'events' | (typeof ownFields)[number]> & {
  disabled: boolean
} & Record<AppEnvironment, ClientSettings>

/** The two sets of credentials of an app, in the order in which developers use them. */
export const environments = ['development', 'production'] as const

type Partially<T> = { [K in keyof T]?: T[K] | undefined }

/** Settings to change; omitted ones keep their values. The type of an app cannot be changed. */
export interface SettingChanges
  extends Partially<Omit<AppSettings, 'type' | 'development' | 'production'>> {
  development?: Partially<ClientSettings> | undefined
  production?: Partially<ClientSettings> | undefined
}

export function newSettings(name: string, type: AppSettings['type']): AppSettings {
  const scopes = type === 'chatbot' ? [chatbotScope] : []
  const client = { scopes, optionalScopes: [], redirectUris: [] }
  return {
    name,
    type,
    level: 'user',
    visibility: 'private',
    deviceFlow: false,
    publicClient: false,
    requireS256: false,
    deauthorizationUrl: null,
    events: [],
    disabled: false,
    development: client,
    production: client,
  }
}

export const settingsOf = (app: AppRecord & Clients): AppSettings => ({
  ...app,
  disabled: app.disabledAt !== null,
})

/** Applies changes to settings. Making a client public also requires S256 by default. */
export function changeSettings(present: AppSettings, changes: SettingChanges): AppSettings {
  const { development, production, ...appChanges } = changes
  const settings = { ...present, ...withoutUndefined(appChanges) }
  return {
    ...settings,
    requireS256: changes.requireS256 ?? (present.requireS256 || settings.publicClient),
    development: { ...present.development, ...withoutUndefined(development ?? {}) },
    production: { ...present.production, ...withoutUndefined(production ?? {}) },
  }
}

const listFields = ['scopes', 'optionalScopes', 'redirectUris'] as const

/** Names of the settings that differ, as in the API. */
export const changedFields = (before: AppSettings, after: AppSettings): string[] =>
  [
    ...ownFields.filter((key) => before[key] !== after[key]),
    ...(isSameSet(before.events, after.events) ? [] : ['events']),
    ...environments.flatMap((environment) =>
      listFields
        .filter((key) => !isSameSet(before[environment][key], after[environment][key]))
        .map((key) => `${environment}.${key}`),
    ),
  ].map(snakeName)

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one) => b.includes(one))

export interface SettingIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

export function checkApp(
  app: AppSettings,
  rules: Pick<Config, 'allowsPrivateWebhooks' | 'environment'>,
): SettingIssue[] {
  const production = rules.environment === 'production'
  const issues: SettingIssue[] = []
  const refuse = (path: SettingIssue['path'], message: string) => issues.push({ path, message })
  const name = label(bounds.appName).safeParse(app.name)
  for (const { message } of name.error?.issues ?? []) refuse(['name'], message)
  if (app.type !== 'general') {
    if (app.deviceFlow) refuse(['deviceFlow'], 'only general apps can use the device flow')
    if (app.publicClient)
      refuse(['publicClient'], 'an app that acts without a user must have a secret')
  }
  if (app.publicClient && !app.requireS256) {
    refuse(['requireS256'], 'a public client must use PKCE with S256')
  }
  const address =
    app.deauthorizationUrl &&
    checkDeauthorizationUrl(app.deauthorizationUrl, rules.allowsPrivateWebhooks)
  if (address) refuse(['deauthorizationUrl'], address)
  for (const environment of environments) {
    const { scopes, optionalScopes, redirectUris } = app[environment]
    for (const [key, { length }] of Object.entries({ scopes, optionalScopes })) {
      if (length > bounds.appScopes)
        refuse([environment, key], `must have at most ${bounds.appScopes} scopes`)
    }
    if (redirectUris.length > bounds.redirectUris) {
      refuse([environment, 'redirectUris'], `must have at most ${bounds.redirectUris} addresses`)
    }
    const checkAddress = (uri: string) =>
      app.type === 'server-to-server'
        ? 'a server-to-server app cannot have redirect addresses'
        : checkRedirectUri(uri, { production, publicClient: app.publicClient })
    issues.push(
      ...issuesIn([environment, 'scopes'], scopes, (scope) => checkScope(scope, app)),
      ...issuesIn(
        [environment, 'optionalScopes'],
        optionalScopes,
        (scope) => checkScope(scope, app) ?? checkOptional(scope, app),
      ),
      ...issuesIn([environment, 'redirectUris'], redirectUris, checkAddress),
    )
  }
  return issues
}

/** Checks each item of a list. `check` returns the problem with an item, or undefined. */
const issuesIn = (
  path: SettingIssue['path'],
  list: readonly string[],
  check: (item: string) => string | undefined,
): SettingIssue[] =>
  list.flatMap((item, index) => {
    const message = check(item)
    return message === undefined ? [] : [{ path: [...path, index], message }]
  })

/**
 * Refuses classic scopes that the credentials do not already have
 * (spec/oauth.md#migration-to-granular-scopes). A new app cannot have any.
 */
export const checkNewScopes = (app: AppSettings, present?: AppSettings): SettingIssue[] =>
  environments.flatMap((environment) => {
    const had = present ? registeredScopes(present[environment]) : []
    const check = (scope: string) =>
      isClassicScope(scope) && !had.includes(scope)
        ? 'new classic scopes cannot be added; use granular ones'
        : undefined
    return (['scopes', 'optionalScopes'] as const).flatMap((key) =>
      issuesIn([environment, key], app[environment][key], check),
    )
  })

/** Refuses new redirect URIs with a scheme that only the operator can register. */
export const checkNewAddresses = (app: AppSettings, present?: AppSettings): SettingIssue[] =>
  environments.flatMap((environment) =>
    issuesIn([environment, 'redirectUris'], app[environment].redirectUris, (uri) =>
      needsOperator(uri) && !present?.[environment].redirectUris.includes(uri)
        ? developersSchemes
        : undefined,
    ),
  )

const developersSchemes =
  'must be https or a reverse-domain scheme that you own (com.example.app:/callback); the operator can register others'

/** Checks the level of a scope (spec/oauth.md#scopes, spec/decisions.md#levels). */
function checkScope(scope: string, { type, level }: AppSettings): string | undefined {
  if (!isScope(scope)) return `"${scope}" is not a scope of the platform`
  if (scope === chatbotScope) {
    return type === 'chatbot' ? undefined : `only chatbots have the scope ${scope}`
  }
  const needed = scopeLevel(scope)
  if (needed === 'user' || type === 'server-to-server' || level === 'account') return undefined
  return `a user-level app cannot have the ${needed} scope ${scope}`
}

function checkOptional(scope: string, { type }: AppSettings): string | undefined {
  if (type === 'server-to-server')
    return 'a server-to-server app has no optional scopes, because it has no consent page'
  if (scope === chatbotScope) return `the scope ${scope} cannot be optional`
  return isClassicScope(scope) ? 'only granular scopes can be optional' : undefined
}
