import {
  type App,
  type AppChanges,
  type AppRegistration,
  platformContract,
  type RegisteredApp,
} from '@skillpass/contract'
import type { Response } from 'express'
import type { z } from 'zod'
import { Failure } from '../../errors/failure.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { bearerOf } from '../../people/http.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { isoTime } from '../../runtime/time.ts'
import type { ClientRecord } from '../../store/oauth/clients.ts'
import { snakeName, toCamel, toSnake } from '../../text/case.ts'
import * as apps from '../apps/apps.ts'
import { developerOfToken } from '../apps/developer.ts'
import { migrateScopes, previewMigration } from '../apps/migration.ts'
import type { NewApp } from '../apps/save.ts'
import { rotateClientSecret, rotateSecretToken } from '../apps/secrets.ts'
import type { SettingChanges } from '../apps/settings.ts'

export const appsRoutes = (ctx: Context) => {
  const developer = (res: Response) => developerOfToken(ctx, bearerOf(res))
  return router(platformContract.apps, {
    list: async ({ query: { page_size, next_page_token }, res }) => {
      const page = { after: next_page_token, limit: page_size }
      const found = await apps.listManagedApps(ctx, await developer(res), page)
      return ok({
        page_size,
        total_records: found.total,
        next_page_token: found.nextPageToken,
        apps: found.items.map(serializeApp),
      })
    },
    register: async ({ body, req, res }) => {
      const acting = await developer(res)
      const registering = apps.registerApp(forRequest(ctx, req), acting, readRegistration(body))
      return created(serializeRegisteredApp(await withApiFieldNames(registering)))
    },
    get: async ({ params: { appId }, res }) =>
      ok(serializeApp(await apps.getManagedApp(ctx, await developer(res), appId))),
    update: async ({ params: { appId }, body, req, res }) => {
      const acting = await developer(res)
      const changing = apps.updateApp(forRequest(ctx, req), acting, appId, readChanges(body))
      return ok(serializeApp(await withApiFieldNames(changing)))
    },
    rotateClientSecret: async ({ params: { appId }, query, body: { environment }, req, res }) => {
      const acting = await developer(res)
      const ends = query.end_previous === 'true'
      const scoped = forRequest(ctx, req)
      const rotated = await rotateClientSecret(scoped, acting, appId, environment, ends)
      return ok({
        client_id: rotated.clientId,
        client_secret: rotated.secret,
        previous_expires_at: isoTime(rotated.previousExpiresAt),
      })
    },
    rotateSecretToken: async ({ params: { appId }, query, req, res }) => {
      const acting = await developer(res)
      const ends = query.end_previous === 'true'
      const rotated = await rotateSecretToken(forRequest(ctx, req), acting, appId, ends)
      return ok({
        secret_token: rotated.secret,
        previous_expires_at: isoTime(rotated.previousExpiresAt),
      })
    },
    previewMigration: async ({ params: { appId }, query: { environment }, res }) => {
      const preview = await previewMigration(ctx, await developer(res), appId, environment)
      return ok({
        changes: preview.changes,
        scopes: preview.scopes,
        optional_scopes: preview.optionalScopes,
        grants_keeping_classic: preview.grantsKeepingClassic,
        obstacle: preview.refusal ?? null,
      })
    },
    migrate: async ({ params: { appId }, body: { environment }, req, res }) => {
      const acting = await developer(res)
      const migrating = migrateScopes(forRequest(ctx, req), acting, appId, environment)
      return ok(serializeApp(await withApiFieldNames(migrating)))
    },
  })
}

const serializeClient = (client: ClientRecord) =>
  toSnake(client, ['clientId', 'scopes', 'optionalScopes', 'redirectUris'])

const serializeApp = (app: apps.ManagedApp): z.output<typeof App> => ({
  ...toSnake(app, ['id', 'name', 'type', 'level', 'visibility', 'createdBy']),
  ...toSnake(app, ['deviceFlow', 'publicClient', 'requireS256', 'deauthorizationUrl']),
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
    throw new Failure('validation_failed', { details, cause: error })
  }
}
