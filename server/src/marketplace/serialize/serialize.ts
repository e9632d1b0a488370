import type {
  App,
  AppApproval,
  AppChanges as AppChangesBody,
  AppRegistration as AppRegistrationBody,
  Delivery as DeliveryBody,
  RegisteredApp,
} from '@skillpass/contract'
import type { z } from 'zod'
import type { NewApp } from '../../apps/apps.ts'
import type { AppChanges } from '../../apps/settings.ts'
import type { ClientRecord } from '../../apps/store/clients.ts'
import { Failure } from '../../errors/failure.ts'
import type { NamedApproval } from '../../oauth/store/approvals.ts'
import { isoTime } from '../../runtime/time.ts'
import type { Delivery } from '../../webhooks/deliveries.ts'
import type { AppRegistration, ManagedApp } from '../apps.ts'

const presentClient = ({ clientId, scopes, optionalScopes, redirectUris }: ClientRecord) => ({
  client_id: clientId,
  scopes,
  optional_scopes: optionalScopes,
  redirect_uris: redirectUris,
})

/** An app in the shape of the contract. */
export const presentApp = (app: ManagedApp): z.output<typeof App> => ({
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
  development: presentClient(app.development),
  production: presentClient(app.production),
})

/** A new app with its secrets. */
export function presentRegisteredApp({
  app,
  secretToken,
  development,
  production,
}: NewApp & { app: ManagedApp }): z.output<typeof RegisteredApp> {
  const shown = presentApp(app)
  return {
    ...shown,
    secret_token: secretToken,
    development: { ...shown.development, client_secret: development.clientSecret },
    production: { ...shown.production, client_secret: production.clientSecret },
  }
}

/** What a body asks to change, in the words of the operations. */
export const readChanges = (body: z.output<typeof AppChangesBody>): AppChanges => ({
  ...readSettings(body),
  name: body.name,
  disabled: body.disabled,
})

/** What a body asks to register. */
export const readRegistration = (body: z.output<typeof AppRegistrationBody>): AppRegistration => ({
  ...readSettings(body),
  name: body.name,
  type: body.type,
})

const readSettings = (
  body: Omit<z.output<typeof AppChangesBody>, 'name' | 'disabled'>,
): Omit<AppChanges, 'name' | 'disabled'> => ({
  level: body.level,
  visibility: body.visibility,
  deviceFlow: body.device_flow,
  publicClient: body.public_client,
  requireS256: body.require_s256,
  deauthorizationUrl: body.deauthorization_url,
  development: readClient(body.development),
  production: readClient(body.production),
})

const readClient = (body: z.output<typeof AppChangesBody>['development']) =>
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
    if (!(error instanceof Failure) || error.code !== 'VALIDATION_ERROR') throw error
    const details = (error.details ?? []).map((one) => ({ ...one, path: fieldOf(one.path) }))
    throw new Failure('validation_failed', { details, cause: error })
  }
}

/** `development.optionalScopes.0` is `development.optional_scopes.0`. */
const fieldOf = (path: string) => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A decision about an app in the shape of the contract. */
export const presentApproval = (approval: NamedApproval): z.output<typeof AppApproval> => ({
  app_id: approval.appId,
  app_name: approval.appName,
  developer_name: approval.developerName,
  state: approval.state,
  requested_by: approval.requestedByEmail,
  requested_at: approval.requestedAt === null ? null : isoTime(approval.requestedAt),
  decided_at: approval.decidedAt === null ? null : isoTime(approval.decidedAt),
})

/** A delivery in the shape of the contract. */
export const presentDelivery = (delivery: Delivery): z.output<typeof DeliveryBody> => ({
  id: delivery.id,
  event: delivery.event,
  created_at: isoTime(delivery.createdAt),
  status: delivery.state,
  next_attempt_at: delivery.nextAttemptAt === null ? null : isoTime(delivery.nextAttemptAt),
  attempts: delivery.attempts.map(({ startedAt, durationMs, status, error }) => ({
    at: isoTime(startedAt),
    duration_ms: durationMs,
    status,
    error,
  })),
})
