import { platformContract } from '@skillpass/contract'
import type { Response } from 'express'
import { forRequest } from '../../audit/for-request.ts'
import { created, ok, router } from '../../http/handlers.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { bearerOf } from '../../platform/routes/bearer.ts'
import { isoTime } from '../../runtime/time.ts'
import { registerApp, updateApp } from '../apps.ts'
import { developerOfToken } from '../developer.ts'
import { getManagedApp, listManagedApps } from '../managed-apps.ts'
import { migrateScopes, previewMigration } from '../migration.ts'
import { rotateClientSecret, rotateSecretToken } from '../secrets.ts'
import {
  readChanges,
  readRegistration,
  serializeApp,
  serializeRegisteredApp,
  withApiFieldNames,
} from '../serialize/app.ts'

const { apps } = platformContract

export const appsRoutes = (ctx: OAuthContext) => {
  const developer = (res: Response) => developerOfToken(ctx, bearerOf(res))
  return router(apps, {
    list: async ({ query: { page_size, next_page_token }, res }) => {
      const page = { after: next_page_token, limit: page_size }
      const found = await listManagedApps(ctx, await developer(res), page)
      return ok({
        page_size,
        total_records: found.total,
        next_page_token: found.nextPageToken,
        apps: found.items.map(serializeApp),
      })
    },
    register: async ({ body, req, res }) => {
      const acting = await developer(res)
      const registering = registerApp(forRequest(ctx, req), acting, readRegistration(body))
      return created(serializeRegisteredApp(await withApiFieldNames(registering)))
    },
    get: async ({ params: { appId }, res }) =>
      ok(serializeApp(await getManagedApp(ctx, await developer(res), appId))),
    update: async ({ params: { appId }, body, req, res }) => {
      const acting = await developer(res)
      const changing = updateApp(forRequest(ctx, req), acting, appId, readChanges(body))
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
