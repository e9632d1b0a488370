import { environments } from '../../../apps/settings.ts'
import type { AppEnvironment } from '../../../apps/store/clients.ts'
import type { ManagedApp } from '../../../marketplace/apps.ts'
import { PostForm, type Viewer } from '../../ui/account.tsx'
import { FormMistake, type Mistakes } from '../../ui/fields.tsx'
import { counted } from '../../ui/format.tsx'
import { renderPage } from '../../ui/layout.tsx'
import { AppPage, appPath, environmentNames, scopesPath } from './layout.tsx'
import type { ScopeRow } from './scope-choices.ts'
import { ScopePicker } from './scope-picker.tsx'

export interface AppScopesPageData {
  app: ManagedApp
  environment: AppEnvironment
  rows: readonly ScopeRow[]
  mistakes: Mistakes
  token: string
  note?: string | undefined
  viewer: Viewer
}

/** The scopes of an app, one tab of the two at a time. */
export function renderAppScopesPage(data: AppScopesPageData): string {
  const { app, environment, rows, mistakes, token, note, viewer } = data
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
      <FormMistake mistakes={mistakes} />
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
        <ScopePicker rows={rows} mistakes={mistakes} />
        <p class="hint">
          {app.type === 'general' &&
            'People must allow what is required, and choose what is optional. What you add they are asked for when they next allow the app; a grant that holds what you take away cannot be refreshed. '}
          No review is needed to migrate or to reduce scopes.
        </p>
        <p>
          <button class="button" type="submit">
            Save scopes
          </button>
        </p>
      </PostForm>
    </AppPage>,
  )
}
