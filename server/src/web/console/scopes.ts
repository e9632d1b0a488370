import type { AppEnvironment } from '../../apps/settings.ts'
import { updateApp } from '../../marketplace/apps.ts'
import { migrateScopes, previewMigration } from '../../marketplace/migration.ts'
import type { Form } from '../account/form.ts'
import { viewerOf } from '../account/handlers.ts'
import { type AccountPage, noteOf, readQuery, show } from '../account/page.ts'
import { type AppScopesPageData, renderAppScopesPage } from '../pages/console/scopes.tsx'
import { type AppExchange, appForm, appPage, appToken } from './app.ts'
import { readEnvironment, saveForm } from './issues.ts'
import { scopesPath } from './layout.tsx'
import { renderMigrationPage } from './migration.tsx'
import { choiceField, readScopeChoices, scopeRows } from './scope-choices.ts'

const notes = { saved: 'The scopes are saved.', migrated: 'This tab has granular scopes now.' }

const path = '/console/apps/:id/scopes'

/** The scopes of an app's two tabs, and their migration from classic to granular (OAuth spec §9). */
export const scopesPages: AccountPage[] = [
  {
    path,
    get: appPage(async (exchange) =>
      show(scopesPage(exchange, tabOf(exchange), { note: noteOf(exchange.req, notes) })),
    ),
    post: appForm(actOn('scopes'), async (exchange) => {
      const { ctx, developer, app, form } = exchange
      const environment = readEnvironment(form.one('environment'))
      const decided = readScopeChoices(scopeRows(app, app[environment]), form.one)
      return saveForm({
        save: () => updateApp(ctx, developer, app.id, { [environment]: decided }),
        placeOf([tab, key, index]) {
          if (tab !== environment) return undefined
          const list = key === 'optionalScopes' ? decided.optionalScopes : decided.scopes
          return { field: choiceField(list[Number(index)] ?? '') }
        },
        next: `${scopesPath(app.id, environment)}&done=saved`,
        page: (issues) =>
          scopesPage(exchange, environment, { rows: scopeRows(app, decided), issues }),
      })
    }),
  },
  {
    path: `${path}/migration`,
    get: appPage(async (exchange) => show(await migrationPage(exchange, tabOf(exchange)))),
    post: appForm(actOn('migrate'), async (exchange) => {
      const { ctx, developer, app, form } = exchange
      const environment = readEnvironment(form.one('environment'))
      return saveForm({
        save: () => migrateScopes(ctx, developer, app.id, environment),
        placeOf: () => undefined,
        next: `${scopesPath(app.id, environment)}&done=migrated`,
        // What stands in the way now the page says anew.
        page: () => migrationPage(exchange, environment),
      })
    }),
  },
]

function actOn(act: string) {
  return (form: Form) => `${act} ${form.one('environment')}`
}

/** The tab that an address names; development where it names none. */
const tabOf = ({ req }: AppExchange): AppEnvironment =>
  readEnvironment(readQuery(req, 'tab') ?? 'development')

function scopesPage(
  { app, visit }: AppExchange,
  environment: AppEnvironment,
  more: Partial<Pick<AppScopesPageData, 'rows' | 'issues' | 'note'>>,
): string {
  return renderAppScopesPage({
    app,
    environment,
    rows: scopeRows(app, app[environment]),
    issues: {},
    token: appToken(visit, `scopes ${environment}`, app.id),
    viewer: viewerOf(visit),
    ...more,
  })
}

async function migrationPage(
  { ctx, app, developer, visit }: AppExchange,
  environment: AppEnvironment,
): Promise<string> {
  const preview = await previewMigration(ctx, developer, app.id, environment)
  const token = appToken(visit, `migrate ${environment}`, app.id)
  return renderMigrationPage({ ...preview, app, environment, token, viewer: viewerOf(visit) })
}
