import { Router } from 'express'
import type { AppEnvironment } from '../../apps/store/clients.ts'
import { from } from '../../audit/origin.ts'
import { updateApp } from '../../marketplace/apps.ts'
import { migrateScopes, previewMigration } from '../../marketplace/migration.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import type { Form } from '../account/form.ts'
import { readQuery, seeOther, sendPage, viewerOf } from '../account/page.ts'
import { scopesPath } from '../pages/console/layout.tsx'
import { renderMigrationPage } from '../pages/console/migration.tsx'
import { choiceField, readScopeChoices, scopeRows } from '../pages/console/scope-choices.ts'
import { type AppScopesPageData, renderAppScopesPage } from '../pages/console/scopes.tsx'
import { type AppRequest, appForm, appPage, appToken } from './app.ts'
import { mistakesOf, readEnvironment } from './issues.ts'

/** What an address says was just done. */
const notes = new Map([
  ['saved', 'The scopes are saved.'],
  ['migrated', 'This tab has granular scopes now.'],
])

/** The scopes of an app's two tabs, and their migration from classic to granular (OAuth spec §9). */
export function consoleScopesRoutes(ctx: OAuthContext): Router {
  const router = Router()
  const path = '/console/apps/:id/scopes'
  const migrationPath = `${path}/migration`

  router.get(
    path,
    appPage(ctx, async (exchange) => {
      const note = notes.get(readQuery(exchange.req, 'done') ?? '')
      sendPage(exchange.res, scopesPage(exchange, tabOf(exchange), { note }))
    }),
  )

  router.post(
    path,
    appForm(ctx, actOn('scopes'), async (exchange) => {
      const { res, developer, app, form } = exchange
      const environment = readEnvironment(form.one('environment'))
      const present = app[environment]
      const decided = readScopeChoices(scopeRows(app, present), form.one)
      const mistakes = await mistakesOf(
        () => updateApp(from(ctx, exchange.req), developer, app.id, { [environment]: decided }),
        ([tab, key, index]) => {
          if (tab !== environment) return undefined
          const list = key === 'optionalScopes' ? decided.optionalScopes : decided.scopes
          return { field: choiceField(list[Number(index)] ?? '') }
        },
      )
      if (mistakes) {
        const rows = scopeRows(app, decided)
        sendPage(res, scopesPage(exchange, environment, { rows, mistakes }), 400)
      } else seeOther(res, `${scopesPath(app.id, environment)}&done=saved`)
    }),
  )

  router.get(
    migrationPath,
    appPage(ctx, async (exchange) => {
      sendPage(exchange.res, await migrationPage(ctx, exchange, tabOf(exchange)))
    }),
  )

  router.post(
    migrationPath,
    appForm(ctx, actOn('migrate'), async (exchange) => {
      const { res, developer, app, form } = exchange
      const environment = readEnvironment(form.one('environment'))
      // What stands in the way now the page says anew.
      const mistakes = await mistakesOf(
        () => migrateScopes(from(ctx, exchange.req), developer, app.id, environment),
        () => undefined,
      )
      if (mistakes) sendPage(res, await migrationPage(ctx, exchange, environment), 400)
      else seeOther(res, `${scopesPath(app.id, environment)}&done=migrated`)
    }),
  )

  return router
}

const actOn = (act: string) => (form: Form) => `${act} ${form.one('environment')}`

/** The tab that an address names; development where it names none. */
const tabOf = ({ req }: AppRequest): AppEnvironment =>
  readEnvironment(readQuery(req, 'tab') ?? 'development')

function scopesPage(
  { app, visit }: AppRequest,
  environment: AppEnvironment,
  more: Partial<Pick<AppScopesPageData, 'rows' | 'mistakes' | 'note'>>,
): string {
  return renderAppScopesPage({
    app,
    environment,
    rows: scopeRows(app, app[environment]),
    mistakes: {},
    token: appToken(visit, `scopes ${environment}`, app.id),
    viewer: viewerOf(visit),
    ...more,
  })
}

async function migrationPage(
  ctx: OAuthContext,
  { app, developer, visit }: AppRequest,
  environment: AppEnvironment,
): Promise<string> {
  const preview = await previewMigration(ctx, developer, app.id, environment)
  const token = appToken(visit, `migrate ${environment}`, app.id)
  return renderMigrationPage({ ...preview, app, environment, token, viewer: viewerOf(visit) })
}
