import { chatbotScope } from '@skillpass/contract'
import { snakeName } from '../runtime/case.ts'
import type { AppRecord } from './store/apps.ts'
import type { AppEnvironment, Clients } from './store/clients.ts'

export type { AppEnvironment }

export interface ClientSettings {
  scopes: string[]
  /** Scopes that the user may leave out. */
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

/** What a developer decides about an app (OAuth spec §1, §4, §9). */
export type AppSettings = Pick<AppRecord, 'type' | (typeof ownFields)[number]> & {
  disabled: boolean
} & Record<AppEnvironment, ClientSettings>

/** The two sets of credentials of an app, in the order of their use. */
export const environments = ['development', 'production'] as const

type Partially<T> = { [K in keyof T]?: T[K] | undefined }

/** Settings to change; what is left out stays as it is. The type of an app cannot change. */
export interface SettingChanges
  extends Partially<Omit<AppSettings, 'type' | 'development' | 'production'>> {
  development?: Partially<ClientSettings> | undefined
  production?: Partially<ClientSettings> | undefined
}

/** What an app has whose developer has decided nothing about it yet. */
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

/** Settings with some of them changed. A public client must use S256, so it comes along. */
export function changeSettings(present: AppSettings, changes: SettingChanges): AppSettings {
  const { development, production, ...own } = changes
  const settings = { ...present, ...given(own) }
  return {
    ...settings,
    requireS256: changes.requireS256 ?? (present.requireS256 || settings.publicClient),
    development: { ...present.development, ...given(development) },
    production: { ...present.production, ...given(production) },
  }
}

const given = <T extends object>(changes: T = {} as T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const listFields = ['scopes', 'optionalScopes', 'redirectUris'] as const

/** The fields in which settings differ, by their names in the API. */
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
