import type {
  App,
  AppChanges,
  AppRegistration,
  platformContract,
  RegisteredApp,
} from '@skillpass/contract'
import type { z } from 'zod'
import { Failure } from '../../errors/failure.ts'
import type { BearerHandlers } from '../../people/http.ts'
import { isoTime } from '../../runtime/time.ts'
import type { ClientRecord } from '../../store/oauth/clients.ts'
import { snakeName, toCamel, toSnake } from '../../text/case.ts'
import { managerOfToken } from '../apps/app-manager.ts'
import * as apps from '../apps/apps.ts'
import { migrateScopes, previewMigration } from '../apps/migration.ts'
import type { NewApp } from '../apps/save.ts'
import { rotateClientSecret, rotateSecretToken } from '../apps/secrets.ts'
import type { SettingChanges } from '../apps/settings.ts'

export const appsHandlers: BearerHandlers<typeof platformContract.apps> = {
  list: async ({ ctx, caller, query: { page_size, next_page_token } }) => {
    const page = { after: next_page_token, limit: page_size }
    const found = await apps.listManagedApps(ctx, await managerOfToken(ctx, caller), page)
    return {
      page_size,
      total_records: found.total,
      next_page_token: found.nextPageToken,
      apps: found.items.map(serializeApp),
    }
  },
  register: async ({ ctx, caller, body }) => {
    const manager = await managerOfToken(ctx, caller)
    const registering = apps.registerApp(ctx, manager, readRegistration(body))
    return serializeRegisteredApp(await withApiFieldNames(registering))
  },
  get: async ({ ctx, caller, params }) =>
    serializeApp(await apps.getManagedApp(ctx, await managerOfToken(ctx, caller), params.appId)),
  update: async ({ ctx, caller, params, body }) => {
    const manager = await managerOfToken(ctx, caller)
    const changing = apps.updateApp(ctx, manager, params.appId, readChanges(body))
    return serializeApp(await withApiFieldNames(changing))
  },
  rotateClientSecret: async ({ ctx, caller, params, query, body: { environment } }) => {
    const manager = await managerOfToken(ctx, caller)
    const ends = query.end_previous === 'true'
    const rotated = await rotateClientSecret(ctx, manager, params.appId, environment, ends)
    return {
      client_id: rotated.clientId,
      client_secret: rotated.secret,
      previous_expires_at: isoTime(rotated.previousExpiresAt),
    }
  },
  rotateSecretToken: async ({ ctx, caller, params, query }) => {
    const manager = await managerOfToken(ctx, caller)
    const ends = query.end_previous === 'true'
    const rotated = await rotateSecretToken(ctx, manager, params.appId, ends)
    return {
      secret_token: rotated.secret,
      previous_expires_at: isoTime(rotated.previousExpiresAt),
    }
  },
  previewMigration: async ({ ctx, caller, params, query: { environment } }) => {
    const manager = await managerOfToken(ctx, caller)
    const preview = await previewMigration(ctx, manager, params.appId, environment)
    return {
      changes: preview.changes,
      scopes: preview.scopes,
      optional_scopes: preview.optionalScopes,
      grants_keeping_classic: preview.grantsKeepingClassic,
      obstacle: preview.refusal ?? null,
    }
  },
  migrate: async ({ ctx, caller, params, body: { environment } }) => {
    const manager = await managerOfToken(ctx, caller)
    const migrating = migrateScopes(ctx, manager, params.appId, environment)
    return serializeApp(await withApiFieldNames(migrating))
  },
}

const serializeClient = (client: ClientRecord) =>
  toSnake(client, ['clientId', 'scopes', 'optionalScopes', 'redirectUris'])

const serializeApp = (app: apps.ManagedApp): z.output<typeof App> => ({
  ...toSnake(app, ['id', 'name', 'type', 'level', 'visibility', 'createdBy']),
  ...toSnake(app, ['deviceFlow', 'publicClient', 'requireS256', 'deauthorizationUrl']),
  events: [...app.events],
  disabled: app.disabledAt !== null,
  created_at: isoTime(app.createdAt),
  deauthorization_url_validated: app.endpointIsValid,
  development: serializeClient(app.development),
  production: serializeClient(app.production),
})

function serializeRegisteredApp({
  app,
  secretToken,
  development,
  production,
}: NewApp & { app: apps.ManagedApp }): z.output<typeof RegisteredApp> {
  const shown = serializeApp(app)
  return {
    ...shown,
    secret_token: secretToken,
    development: { ...shown.development, client_secret: development.clientSecret },
    production: { ...shown.production, client_secret: production.clientSecret },
  }
}

const readChanges = (body: Partial<z.output<typeof AppChanges>>): SettingChanges => ({
  ...toCamel(body),
  development: body.development && toCamel(body.development),
  production: body.production && toCamel(body.production),
})

const readRegistration = (body: z.output<typeof AppRegistration>): apps.NewSettings => ({
  ...readChanges(body),
  name: body.name,
  type: body.type,
})

/** Renames the fields of validation errors to those of the contract. */
async function withApiFieldNames<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 400) throw error
    const details = (error.details ?? []).map((one) => ({ ...one, path: snakeName(one.path) }))
    throw new Failure(400, { details, cause: error })
  }
}
