import type { Request } from 'express'
import { type ManagedApp, updateApp } from '../../oauth/apps/apps.ts'
import { migrateScopes, previewMigration } from '../../oauth/apps/migration.ts'
import { type AppEnvironment, environments } from '../../oauth/apps/settings.ts'
import { describeScopes } from '../../oauth/scopes.ts'
import { readQuery, redirect, show } from '../account/page.ts'
import { type FieldIssues, FormIssue, Notice, PostForm, Submit, trySaving } from '../ui/fields.tsx'
import { capitalize, counted, LinkList, Section } from '../ui/parts.tsx'
import { ScopeList } from '../ui/scopes.tsx'
import { type AppExchange, AppPage, appPath, managed, readEnvironment } from './app.tsx'
import { fieldOfScope, readScopeChoices, ScopePicker, scopeRows } from './scope-picker.tsx'

const notes = { saved: 'Scopes saved.', migrated: 'This tab now has granular scopes.' }

const path = '/console/apps/:id/scopes'

const scopesPath = (id: string, environment: AppEnvironment, rest = ''): string =>
  appPath(id, `/scopes${rest}?tab=${environment}`)

/**
 * The scopes of an app's two tabs, and their migration
 * (spec/oauth.md#migration-to-granular-scopes).
 */
export const scopesPages = {
  [path]: {
    get: managed(async ({ app, req }) => show(scopesPage(app, tabOf(req)))),
    post: managed(async ({ ctx, manager, app, form }) => {
      const environment = readEnvironment(form.one('environment'))
      const decided = readScopeChoices(scopeRows(app, app[environment]), form)
      const save = () => updateApp(ctx, manager, app.id, { [environment]: decided })
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
      const { ctx, manager, app, form } = exchange
      const environment = readEnvironment(form.one('environment'))
      const migrate = () => migrateScopes(ctx, manager, app.id, environment)
      const { issues } = await trySaving(migrate, () => undefined)
      // The preview shows the reason.
      if (issues) return show(await previewPage(exchange, environment), 400)
      return redirect(`${scopesPath(app.id, environment)}&done=migrated`)
    }),
  },
}

/** The tab in the query; `development` by default. */
const tabOf = (req: Request): AppEnvironment =>
  readEnvironment(readQuery(req, 'tab') || 'development')

function scopesPage(
  app: ManagedApp,
  environment: AppEnvironment,
  issues: FieldIssues = {},
  rows = scopeRows(app, app[environment]),
) {
  const links = environments.map((one) => {
    const current = one === environment && ('page' as const)
    return { label: capitalize(one), path: scopesPath(app.id, one), current }
  })
  const name = capitalize(environment)
  const classic = rows.filter(({ isClassic }) => isClassic)
  return (
    <AppPage app={app} tab="Scopes" title={`${name} scopes`} notes={notes}>
      <nav class="facets" aria-label="Tabs">
        <LinkList links={links} />
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
      <PostForm
        action={appPath(app.id, '/scopes')}
        values={{ environment }}
        class="stack"
        submit="Save scopes"
      >
        <ScopePicker rows={rows} issues={issues} />
        <p class="hint">
          {app.type === 'general' &&
            'People must allow required scopes and can choose optional ones. If you add a scope, people are asked for it the next time they allow the app. In accounts that approve apps, an admin has to approve it first. If you remove a scope, the access of people who allowed it can no longer be refreshed. '}
          You can remove or migrate scopes without a review.
        </p>
      </PostForm>
    </AppPage>
  )
}

/**
 * Previews a migration to granular scopes and asks to confirm it
 * (spec/oauth.md#migration-to-granular-scopes).
 */
async function previewPage({ ctx, app, manager }: AppExchange, environment: AppEnvironment) {
  const preview = await previewMigration(ctx, manager, app.id, environment)
  const { changes, grantsKeepingClassic, refusal } = preview
  const isEarly = refusal === 'development-first'
  return (
    <AppPage app={app} tab="Scopes" title={`Migrate ${environment} scopes`}>
      <Section id="migrate" title={`Migrate the ${environment} tab to granular scopes`}>
        {refusal === undefined ? (
          <p>
            Each classic scope is replaced by the granular scopes that open the same endpoints. No
            review is needed.
          </p>
        ) : (
          <Notice>
            {isEarly
              ? 'Migrate the development tab first. Try the app with granular scopes there, then come back.'
              : 'This tab has no classic scopes, so there is nothing to migrate.'}
          </Notice>
        )}
      </Section>
      {changes.length > 0 && (
        <>
          <Section id="changes" title="Changes" level={3}>
            <ul class="changes">
              {changes.map(({ from, to }) => (
                <li>
                  <ScopeList scopes={describeScopes([from])} />
                  <p class="muted">is replaced by</p>
                  <ScopeList scopes={describeScopes(to)} />
                </li>
              ))}
            </ul>
          </Section>
          <p>
            {grantsKeepingClassic === 0
              ? 'Nobody has allowed classic scopes, so no existing grant is affected.'
              : `${counted(grantsKeepingClassic, 'grant')} ${grantsKeepingClassic === 1 ? 'keeps' : 'keep'} classic scopes until the person allows the app again. They keep working.`}{' '}
            Anyone who allows the app from now on gets granular scopes.
          </p>
        </>
      )}
      {refusal === undefined ? (
        <PostForm
          action={appPath(app.id, '/scopes/migration')}
          values={{ environment }}
          class="choices"
        >
          <Submit>Migrate</Submit>
          <a class="button plain" href={scopesPath(app.id, environment)}>
            Cancel
          </a>
        </PostForm>
      ) : (
        <p>
          <a href={scopesPath(app.id, isEarly ? 'development' : environment)}>
            {isEarly ? 'Go to the development tab' : 'Back to the scopes'}
          </a>
        </p>
      )}
    </AppPage>
  )
}
