import { type ManagedApp, updateApp } from '../../oauth/apps/apps.ts'
import type { Context } from '../../runtime/context.ts'
import { redirect, show } from '../account/page.ts'
import { describeFields, type FieldIssues, FormIssue, PostForm, trySaving } from '../ui/fields.tsx'
import { Section } from '../ui/parts.tsx'
import { AppPage, appPath, managed, readLines } from './app.tsx'

const notes = { saved: 'Addresses saved.' }

const lines = { rows: 5, placeholder: 'https://app.example/callback' }

/** One address per line. */
const fields = describeFields({
  development: { label: 'Development', ...lines },
  production: { label: 'Production', ...lines },
})

export const redirectsPages = {
  '/console/apps/:id/redirects': {
    get: managed(async ({ ctx, app }) => show(redirectsPage(ctx, app, storedIn(app)))),
    post: managed(async ({ ctx, manager, app, form }) => {
      const typed = fields.read(form)
      const development = readLines(typed.development)
      const production = readLines(typed.production)
      const changes = {
        development: { redirectUris: development.addresses },
        production: { redirectUris: production.addresses },
      }
      const save = () => updateApp(ctx, manager, app.id, changes)
      const { issues } = await trySaving(save, ([tab, key, index]) => {
        if (key !== 'redirectUris') return undefined
        const { prefixOf } = tab === 'production' ? production : development
        return { field: tab ?? '', prefix: prefixOf(index) }
      })
      if (issues) return show(redirectsPage(ctx, app, typed, issues), 400)
      return redirect(`${appPath(app.id, '/redirects')}?done=saved`)
    }),
  },
}

const storedIn = ({ development, production }: ManagedApp) => ({
  development: development.redirectUris.join('\n'),
  production: production.redirectUris.join('\n'),
})

const redirectsPage = (
  { config }: Context,
  app: ManagedApp,
  values: ReturnType<typeof fields.read>,
  issues: FieldIssues = {},
) => (
  <AppPage app={app} tab="Redirects" notes={notes}>
    <Section id="redirects" title="Redirect addresses">
      <p>
        The addresses people return to after they allow or deny the app, one per line. The{' '}
        <code>redirect_uri</code> that your app sends must be one of them, character by character.
      </p>
      <ul class="hint">
        <li>
          <code>https</code> with any host, or <code>http</code> with{' '}
          {config.environment === 'production'
            ? '127.0.0.1, [::1] or localhost'
            : 'any host (in production only 127.0.0.1, [::1] and localhost)'}
          , on any port.
        </li>
        <li>
          An installed app’s own scheme, spelled like a domain that you own:{' '}
          <code>com.example.app:/callback</code>
        </li>
        <li>No fragment (#…), wildcard or user name; letters outside ASCII percent-encoded.</li>
      </ul>
      <FormIssue issues={issues} />
      {app.type === 'chatbot' && (
        <p class="hint">
          A chatbot needs a redirect address only if it also asks people for access.
        </p>
      )}
      <PostForm action={appPath(app.id, '/redirects')} class="stack" submit="Save addresses">
        {fields.show(values, issues)('development')}
        {fields.show(values, issues)('production')}
      </PostForm>
    </Section>
  </AppPage>
)
