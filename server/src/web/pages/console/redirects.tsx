import { type AppEnvironment, environments } from '../../../apps/settings.ts'
import type { ManagedApp } from '../../../marketplace/managed-apps.ts'
import { AppPage, appPath, environmentNames } from '../../console/layout.tsx'
import { PostForm, type Viewer } from '../../ui/account.tsx'
import { type FieldIssues, FormIssue, Submit, TextField } from '../../ui/fields.tsx'
import { renderPage } from '../../ui/layout.tsx'

export interface AppRedirectsPageData {
  app: ManagedApp
  /** Addresses as they stand in the two fields, one per line. */
  values: Record<AppEnvironment, string>
  issues: FieldIssues
  token: string
  note?: string | undefined
  viewer: Viewer
}

/** Where an app may have people sent back to. */
export function renderAppRedirectsPage(data: AppRedirectsPageData): string {
  const { app, values, issues, token, note, viewer } = data
  return renderPage(
    <AppPage app={app} tab="redirects" title="Redirects" viewer={viewer} note={note}>
      <section aria-labelledby="redirects">
        <h2 id="redirects">Redirect addresses</h2>
        <p>
          Where people are sent back to after they have decided, one address per line. The app must
          name one of them to the letter: with the same scheme, port and closing slash.
        </p>
        <p class="hint">
          An address is https; http on the person’s own machine, as in{' '}
          <code>http://127.0.0.1:8090/callback</code>; or the private scheme of a native app, as in{' '}
          <code>com.example.app:/callback</code>.
        </p>
        <FormIssue issues={issues} />
        {app.type === 'chatbot' && (
          <p class="hint">
            A chatbot sends messages by itself and needs none, unless it also asks people for
            access.
          </p>
        )}
        {app.type === 'server-to-server' ? (
          <p class="muted">A server-to-server app sends no person anywhere.</p>
        ) : (
          <PostForm action={appPath(app.id, '/redirects')} token={token} class="stack">
            {environments.map((environment) => (
              <TextField
                key={environment}
                name={environment}
                label={environmentNames[environment]}
                value={values[environment]}
                issue={issues[environment]}
                rows={5}
                placeholder="https://app.example/callback"
              />
            ))}
            <p>
              <Submit>Save addresses</Submit>
            </p>
          </PostForm>
        )}
      </section>
    </AppPage>,
  )
}
