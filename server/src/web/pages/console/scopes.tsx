import { type AppEnvironment, environments } from '../../../apps/settings.ts'
import type { ManagedApp } from '../../../marketplace/managed-apps.ts'
import { AppPage, appPath, environmentNames, scopesPath } from '../../console/layout.tsx'
import type { ScopeRow } from '../../console/scope-choices.ts'
import { ScopePicker } from '../../console/scope-picker.tsx'
import { PostForm, type Viewer } from '../../ui/account.tsx'
import { type FieldIssues, FormIssue, Submit } from '../../ui/fields.tsx'
import { counted } from '../../ui/format.tsx'
import { renderPage } from '../../ui/layout.tsx'

export interface AppScopesPageData {
  app: ManagedApp
  environment: AppEnvironment
  rows: readonly ScopeRow[]
  issues: FieldIssues
  token: string
  note?: string | undefined
  viewer: Viewer
}

/** The scopes of an app, one tab of the two at a time. */
export function renderAppScopesPage(data: AppScopesPageData): string {
  const { app, environment, rows, issues, token, note, viewer } = data
  const name = environmentNames[environment]
  const classic = rows.filter(({ isClassic }) => isClassic)
  return renderPage(
    <AppPage app={app} tab="scopes" title={`${name} scopes`} viewer={viewer} note={note}>
      <nav class="facets" aria-label="Tabs">
        <ul>
          {environments.map((one) => (
            <li key={one}>
              <a
                href={scopesPath(app.id, one)}
                aria-current={one === environment ? 'page' : undefined}
              >
                {environmentNames[one]}
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
      <PostForm
        action={appPath(app.id, '/scopes')}
        token={token}
        values={{ environment }}
        class="stack"
      >
        <ScopePicker rows={rows} issues={issues} />
        <p class="hint">
          {app.type === 'general' &&
            'People must allow what is required, and choose what is optional. What you add they are asked for when they next allow the app; a grant that holds what you take away cannot be refreshed. '}
          No review is needed to migrate or to reduce scopes.
        </p>
        <p>
          <Submit>Save scopes</Submit>
        </p>
      </PostForm>
    </AppPage>,
  )
}
