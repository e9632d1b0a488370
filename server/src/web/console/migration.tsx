import type { ScopeMigrationRefusal } from '../../apps/migration.ts'
import type { AppEnvironment } from '../../apps/settings.ts'
import type { ManagedApp } from '../../marketplace/managed-apps.ts'
import { type DescribedScope, describeScopes } from '../../oauth/scopes.ts'
import { PostForm, type Viewer } from '../ui/account.tsx'
import { Submit } from '../ui/fields.tsx'
import { counted } from '../ui/format.tsx'
import { renderPage } from '../ui/layout.tsx'
import { Reach } from '../ui/scopes.tsx'
import { AppPage, appPath, environmentNames, scopesPath } from './layout.tsx'

export interface MigrationPageData {
  app: ManagedApp
  environment: AppEnvironment
  /** Each classic scope with the granular ones that take its place. */
  changes: readonly { from: string; to: readonly string[] }[]
  /** Grants that keep their classic scopes until their users allow the app again. */
  grantsKeepingClassic: number
  refusal?: ScopeMigrationRefusal | undefined
  token: string
  viewer: Viewer
}

/** What a migration from classic to granular scopes would change, to confirm it (OAuth spec §9). */
export function renderMigrationPage(data: MigrationPageData): string {
  const { app, environment, changes, grantsKeepingClassic, refusal, token, viewer } = data
  const tab = environmentNames[environment].toLowerCase()
  return renderPage(
    <AppPage app={app} tab="scopes" title={`Migrate ${tab} scopes`} viewer={viewer}>
      <section aria-labelledby="migrate">
        <h2 id="migrate">Migrate the {tab} tab to granular scopes</h2>
        {refusal === undefined ? (
          <p>
            Each classic scope becomes the granular scopes that open the same endpoints. No review
            is needed.
          </p>
        ) : (
          <p class="notice" role="status">
            {refusal === 'development-first'
              ? 'The development tab migrates first: try the app with granular scopes there, then come back.'
              : 'This tab has no classic scope, so there is nothing to migrate.'}
          </p>
        )}
      </section>
      {changes.length > 0 && (
        <section aria-labelledby="changes">
          <h3 id="changes">What becomes what</h3>
          <ul class="changes">
            {changes.map(({ from, to }) => (
              <li key={from}>
                <Scopes scopes={describeScopes([from])} />
                <p class="muted">becomes</p>
                <Scopes scopes={describeScopes(to)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {changes.length > 0 && (
        <p>
          {grantsKeepingClassic === 0
            ? 'Nobody has allowed classic scopes, so no grant keeps any.'
            : `${counted(grantsKeepingClassic, 'grant')} ${grantsKeepingClassic === 1 ? 'keeps' : 'keep'} classic scopes until the person allows the app again; they go on working.`}{' '}
          Whoever allows the app from now on gets granular scopes.
        </p>
      )}
      {refusal === undefined ? (
        <PostForm
          action={appPath(app.id, '/scopes/migration')}
          token={token}
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
          <a
            href={scopesPath(app.id, refusal === 'development-first' ? 'development' : environment)}
          >
            {refusal === 'development-first' ? 'Go to the development tab' : 'Back to the scopes'}
          </a>
        </p>
      )}
    </AppPage>,
  )
}

function Scopes({ scopes }: { scopes: DescribedScope[] }) {
  return (
    <ul>
      {scopes.map(({ scope, level, sentence }) => (
        <li key={scope}>
          {sentence} <Reach level={level} />
          <span class="name mono">{scope}</span>
        </li>
      ))}
    </ul>
  )
}
