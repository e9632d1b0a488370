import type { App, AppChanges, AppRegistration, RegisteredApp } from '@skillpass/contract'
import type { z } from 'zod'
import { Failure } from '../../errors/failure.ts'
import { isoTime } from '../../runtime/time.ts'
import type { NewSettings } from '../apps.ts'
import type { ManagedApp } from '../managed-apps.ts'
import type { NewApp } from '../save.ts'
import { apiName, type SettingChanges } from '../settings.ts'
import type { ClientRecord } from '../store/clients.ts'

const serializeClient = ({ clientId, scopes, optionalScopes, redirectUris }: ClientRecord) => ({
  client_id: clientId,
  scopes,
  optional_scopes: optionalScopes,
  redirect_uris: redirectUris,
})

export const serializeApp = (app: ManagedApp): z.output<typeof App> => ({
  id: app.id,
  name: app.name,
  type: app.type,
  level: app.level,
  visibility: app.visibility,
  device_flow: app.deviceFlow,
  public_client: app.publicClient,
  require_s256: app.requireS256,
  disabled: app.disabledAt !== null,
  created_at: isoTime(app.createdAt),
  created_by: app.createdBy,
  deauthorization_url: app.deauthorizationUrl,
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

/** What a body asks to change, in the words of the operations. */
export const readChanges = (body: Partial<z.output<typeof AppChanges>>): SettingChanges => ({
  name: body.name,
  disabled: body.disabled,
  level: body.level,
  visibility: body.visibility,
  deviceFlow: body.device_flow,
  publicClient: body.public_client,
  requireS256: body.require_s256,
  deauthorizationUrl: body.deauthorization_url,
  development: readClient(body.development),
  production: readClient(body.production),
})

export const readRegistration = (body: z.output<typeof AppRegistration>): NewSettings => ({
  ...readChanges(body),
  name: body.name,
  type: body.type,
})

const readClient = (body: z.output<typeof AppChanges>['development']) =>
  body && {
    scopes: body.scopes,
    optionalScopes: body.optional_scopes,
    redirectUris: body.redirect_uris,
  }

/** What an operation refuses about settings, at the fields of the contract. */
export async function namingFields<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 400) throw error
    const details = (error.details ?? []).map((one) => ({ ...one, path: apiName(one.path) }))
    throw new Failure('validation_failed', { details, cause: error })
  }
}
