import type { Request } from 'express'
import { type ManagedApp, updateApp } from '../../apps/apps.ts'
import { migrateScopes, previewMigration } from '../../apps/migration.ts'
import { type AppEnvironment, environments } from '../../apps/settings.ts'
import { type PageRoutes, readQuery, redirect, show } from '../account/page.ts'
import { PostForm } from '../ui/account.tsx'
import { type FieldIssues, FormIssue, Submit } from '../ui/fields.tsx'
import { capitalize, counted } from '../ui/format.tsx'
import { readEnvironment, trySaving } from './issues.ts'
import { type AppExchange, AppPage, appPath, managed, scopesPath } from './layout.tsx'
import { migrationPage } from './migration.tsx'
import { fieldOfScope, readScopeChoices, type ScopeRow, scopeRows } from './scope-choices.ts'
import { ScopePicker } from './scope-picker.tsx'

const notes = { saved: 'Scopes saved.', migrated: 'This tab now has granular scopes.' }

const path = '/console/apps/:id/scopes'

/** The scopes of an app's two tabs, and their migration (spec/oauth.md#migration-to-granular-scopes). */
export const scopesPages: PageRoutes = {
  [path]: {
    get: managed(async ({ app, req }) => show(scopesPage(app, tabOf(req)))),
    post: managed(async ({ ctx, developer, app, form }) => {
      const environment = readEnvironment(form.one('environment'))
      const decided = readScopeChoices(scopeRows(app, app[environment]), form.one)
      const save = () => updateApp(ctx, developer, app.id, { [environment]: decided })
      const { issues } = await trySaving(save, ([tab, ...below]) =>
        tab === environment ? fieldOfScope(decided, below) : undefined,
      )
      const rows = scopeRows(app, decided)
      if (issues) return show(scopesPage(app, environment, issues, rows), 400)
      return redirect(`${scopesPath(app.id, environment)}&done=saved`)
    }),
  },
  [`${path}/migration`]: {
    get: managed(async (exchange) => show(await previewPage(exchange, tabOf(exchange.req)))),
    post: managed(async (exchange) => {
      const { ctx, developer, app, form } = exchange
      const environment = readEnvironment(form.one('environment'))
      const migrate = () => migrateScopes(ctx, developer, app.id, environment)
      const { issues } = await trySaving(migrate, () => undefined)
      // The preview shows the reason.
      if (issues) return show(await previewPage(exchange, environment), 400)
      return redirect(`${scopesPath(app.id, environment)}&done=migrated`)
    }),
  },
}

/** The tab in the query; `development` by default. */
const tabOf = (req: Request): AppEnvironment =>
  readEnvironment(readQuery(req, 'tab') ?? 'development')

async function previewPage(exchange: AppExchange, environment: AppEnvironment) {
  const { ctx, app, developer } = exchange
  const preview = await previewMigration(ctx, developer, app.id, environment)
  return migrationPage(app, environment, preview)
}

function scopesPage(
  app: ManagedApp,
  environment: AppEnvironment,
  issues: FieldIssues = {},
  rows: readonly ScopeRow[] = scopeRows(app, app[environment]),
) {
  const name = capitalize(environment)
  const classic = rows.filter(({ isClassic }) => isClassic)
  return (
    <AppPage app={app} tab="Scopes" title={`${name} scopes`} notes={notes}>
      <nav class="facets" aria-label="Tabs">
        <ul>
          {environments.map((one) => (
            <li>
              <a
                href={scopesPath(app.id, one)}
                aria-current={one === environment ? 'page' : undefined}
              >
                {capitalize(one)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <h2>{name} scopes</h2>
      <FormIssue issues={issues} />
      {classic.length > 0 && (
        <p class="notice">
          {counted(classic.length, 'scope')} of this tab {classic.length === 1 ? 'is' : 'are'}{' '}
          classic, which is legacy.{' '}
          <a href={scopesPath(app.id, environment, '/migration')}>Migrate to granular scopes</a>
          {environment === 'production' && ', once the development tab has migrated'}.
        </p>
      )}
      <PostForm action={appPath(app.id, '/scopes')} values={{ environment }} class="stack">
        <ScopePicker rows={rows} issues={issues} />
        <p class="hint">
          {app.type === 'general' &&
            'People must allow required scopes and can choose optional ones. If you add a scope, people are asked for it the next time they allow the app. In accounts that approve apps, an admin has to approve it first. If you remove a scope, the access of people who allowed it can no longer be refreshed. '}
          You can remove or migrate scopes without a review.
        </p>
        <p>
          <Submit>Save scopes</Submit>
        </p>
      </PostForm>
    </AppPage>
  )
}
