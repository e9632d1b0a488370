import { chatbotScope } from '@skillpass/contract'
import { snakeName } from '../runtime/case.ts'
import type { AppRecord } from './store/apps.ts'
import type { AppEnvironment, Clients } from './store/clients.ts'

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

export type AppSettings = Pick<AppRecord, 'type' | (typeof ownFields)[number]> & {
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
    development: { ...present.development, ...withoutUndefined(development) },
    production: { ...present.production, ...withoutUndefined(production) },
  }
}

const withoutUndefined = <T extends object>(changes: T = {} as T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const listFields = ['scopes', 'optionalScopes', 'redirectUris'] as const

/** Names of the settings that differ, as in the API. */
export const changedFields = (before: AppSettings, after: AppSettings): string[] =>
  [
    ...ownFields.filter((key) => before[key] !== after[key]),
    ...environments.flatMap((environment) =>
      listFields
        .filter((key) => !isSameSet(before[environment][key], after[environment][key]))
        .map((key) => `${environment}.${key}`),
    ),
  ].map(snakeName)

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one) => b.includes(one))
