import type { ManagedApp } from '../../apps/apps.ts'
import type { previewMigration } from '../../apps/migration.ts'
import type { AppEnvironment } from '../../apps/settings.ts'
import { type DescribedScope, describeScopes } from '../../oauth/scopes.ts'
import { PostForm } from '../ui/account.tsx'
import { Submit } from '../ui/fields.tsx'
import { counted } from '../ui/format.tsx'
import { Section } from '../ui/parts.tsx'
import { Reach } from '../ui/scopes.tsx'
import { AppPage, appPath, scopesPath } from './layout.tsx'

/** Previews a migration to granular scopes and asks to confirm it (spec/oauth.md#migration-to-granular-scopes). */
export const migrationPage = (
  app: ManagedApp,
  environment: AppEnvironment,
  { changes, grantsKeepingClassic, refusal }: Awaited<ReturnType<typeof previewMigration>>,
) => (
  <AppPage app={app} tab="Scopes" title={`Migrate ${environment} scopes`}>
    <Section id="migrate" title={`Migrate the ${environment} tab to granular scopes`}>
      {refusal === undefined ? (
        <p>
          Each classic scope is replaced by the granular scopes that open the same endpoints. No
          review is needed.
        </p>
      ) : (
        <p class="notice" role="status">
          {refusal === 'development-first'
            ? 'Migrate the development tab first. Try the app with granular scopes there, then come back.'
            : 'This tab has no classic scopes, so there is nothing to migrate.'}
        </p>
      )}
    </Section>
    {changes.length > 0 && (
      <Section id="changes" title="Changes" level={3}>
        <ul class="changes">
          {changes.map(({ from, to }) => (
            <li>
              <Scopes scopes={describeScopes([from])} />
              <p class="muted">is replaced by</p>
              <Scopes scopes={describeScopes(to)} />
            </li>
          ))}
        </ul>
      </Section>
    )}
    {changes.length > 0 && (
      <p>
        {grantsKeepingClassic === 0
          ? 'Nobody has allowed classic scopes, so no existing grant is affected.'
          : `${counted(grantsKeepingClassic, 'grant')} ${grantsKeepingClassic === 1 ? 'keeps' : 'keep'} classic scopes until the person allows the app again. They keep working.`}{' '}
        Anyone who allows the app from now on gets granular scopes.
      </p>
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
        <a href={scopesPath(app.id, refusal === 'development-first' ? 'development' : environment)}>
          {refusal === 'development-first' ? 'Go to the development tab' : 'Back to the scopes'}
        </a>
      </p>
    )}
  </AppPage>
)

const Scopes = ({ scopes }: { scopes: DescribedScope[] }) => (
  <ul>
    {scopes.map(({ scope, level, sentence }) => (
      <li>
        {sentence} <Reach level={level} />
        <span class="name mono">{scope}</span>
      </li>
    ))}
  </ul>
)
