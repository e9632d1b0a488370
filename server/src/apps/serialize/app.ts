import type { App, AppChanges, AppRegistration, RegisteredApp } from '@skillpass/contract'
import type { z } from 'zod'
import { Failure } from '../../errors/failure.ts'
import { snakeName, toCamel, toSnake } from '../../runtime/case.ts'
import { isoTime } from '../../runtime/time.ts'
import type { NewSettings } from '../apps.ts'
import type { ManagedApp } from '../managed-apps.ts'
import type { NewApp } from '../save.ts'
import type { SettingChanges } from '../settings.ts'
import type { ClientRecord } from '../store/clients.ts'

const serializeClient = (client: ClientRecord) =>
  toSnake(client, ['clientId', 'scopes', 'optionalScopes', 'redirectUris'])

export const serializeApp = (app: ManagedApp): z.output<typeof App> => ({
  ...toSnake(app, ['id', 'name', 'type', 'level', 'visibility', 'createdBy']),
  ...toSnake(app, ['deviceFlow', 'publicClient', 'requireS256', 'deauthorizationUrl']),
  disabled: app.disabledAt !== null,
  created_at: isoTime(app.createdAt),
  deauthorization_url_validated: app.endpointIsValid,
  development: serializeClient(app.development),
  production: serializeClient(app.production),
})

export function serializeRegisteredApp({
  app,
  secretToken,
  development,
  production,
}: NewApp & { app: ManagedApp }): z.output<typeof RegisteredApp> {
  const shown = serializeApp(app)
  return {
    ...shown,
    secret_token: secretToken,
    development: { ...shown.development, client_secret: development.clientSecret },
    production: { ...shown.production, client_secret: production.clientSecret },
  }
}

export const readChanges = (body: Partial<z.output<typeof AppChanges>>): SettingChanges => ({
  ...toCamel(body),
  development: body.development && toCamel(body.development),
  production: body.production && toCamel(body.production),
})

export const readRegistration = (body: z.output<typeof AppRegistration>): NewSettings => ({
  ...readChanges(body),
  name: body.name,
  type: body.type,
})

/** Renames the fields of validation errors to those of the contract. */
export async function withApiFieldNames<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 400) throw error
    const details = (error.details ?? []).map((one) => ({ ...one, path: snakeName(one.path) }))
    throw new Failure('validation_failed', { details, cause: error })
  }
}
