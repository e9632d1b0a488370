import { type AppManager, managerOf } from '../../oauth/apps/app-manager.ts'
import { type NewSettings, registerApp } from '../../oauth/apps/apps.ts'
import { environments } from '../../oauth/apps/settings.ts'
import { show, signedIn } from '../account/page.ts'
import { describeFields, type FieldIssues, PostForm } from '../ui/fields.tsx'
import { capitalize, Section } from '../ui/parts.tsx'
import { appPath, ConsolePage, readLines, trySaving } from './app.tsx'
import { fieldOfScope, readScopeChoices, ScopePicker, scopeRows } from './scope-picker.tsx'
import { ShownSecret } from './secret.tsx'
import { level } from './settings.tsx'

export const registerPages = {
  '/console/new': {
    get: signedIn(async ({ session }) => show(newAppPage(managerOf(session.user)))),
    post: signedIn(async ({ ctx, session, form }) => {
      const manager = managerOf(session.user)
      const typed = fields.read(form)
      const { name, type, level } = typed
      const { addresses, prefixOf } = readLines(typed.redirectUris)
      const scopes = readScopeChoices(scopeRows({ type, level }, none), form)
      const client = { ...scopes, redirectUris: type === 'general' ? addresses : [] }
      const registration: NewSettings = {
        name,
        type,
        level: type === 'general' ? level : 'user',
        visibility: 'development',
        ...(type === 'chatbot' ? {} : { development: client, production: client }),
      }
      const register = () => registerApp(ctx, manager, registration)
      const saved = await trySaving(register, ([top, ...below]) => {
        const [key, index] = below
        if (top === 'name' || top === undefined) return { field: 'name' }
        if (key === 'redirectUris') return { field: 'redirect_uris', prefix: prefixOf(index) }
        return index === undefined ? undefined : fieldOfScope(scopes, below)
      })
      if (!saved.issues) return show(registeredPage(saved.made))
      const rows = scopeRows(allKinds, readScopeChoices(scopeRows(allKinds, none), form))
      return show(newAppPage(manager, typed, rows, saved.issues), 400)
    }),
  },
}

const none = { scopes: [], optionalScopes: [] }

/** The page contains the scopes of every kind of app. CSS shows those of the chosen kind. */
const allKinds = { type: 'general', level: 'account' } as const

const types = {
  general:
    'For other people and accounts. A person allows it in a browser or on a device, and it acts for that person.',
  'server-to-server':
    'For automation on your own account. It acts without a user, so it asks nobody for access.',
  chatbot: 'Sends messages to team chat as a bot.',
}

/** Changes of the field for people who are no admins. */
const typesOfMembers = {
  options: { general: types.general, chatbot: types.chatbot },
  hint: 'Only admins of your account can register server-to-server apps.',
}

const fields = describeFields({
  name: {
    label: 'Name',
    hint: 'People see this name when they are asked to allow the app.',
    required: true,
    maxLength: 100,
  },
  type: { label: 'Type', options: types },
  level: { ...level, class: 'for-general' },
  redirectUris: {
    label: 'Redirect addresses',
    rows: 3,
    placeholder: 'https://app.example/callback',
    hint: 'The addresses people return to after they allow or deny the app, one per line. You can add them later.',
  },
})

type Typed = ReturnType<typeof fields.read>

const empty: Typed = { name: '', type: 'general', level: 'user', redirectUris: '' }

/** The page that registers an app. Only admins can register server-to-server apps. */
function newAppPage(
  { managesAllApps }: AppManager,
  values = empty,
  rows = scopeRows(allKinds, none),
  issues: FieldIssues = {},
) {
  const field = fields.show(values, issues)
  return (
    <ConsolePage
      title="Register an app"
      heading={<h1>Register an app</h1>}
      lede="A new app is in development, so only people in your account can use it. You can change everything but its type later."
    >
      <PostForm action="/console/new" class="register stack" issues={issues} submit="Register">
        {field('name')}
        {field('type', managesAllApps ? {} : typesOfMembers)}
        {field('level')}
        <div class="for-general">{field('redirectUris')}</div>
        <Section id="scopes" title="Scopes" class="field for-scopes">
          <p class="hint">
            What the app may do. Development and production start with the same scopes.{' '}
            <span class="for-general">
              People must allow required scopes and can choose optional ones.
            </span>
          </p>
          <ScopePicker rows={rows} issues={issues} />
        </Section>
        <p class="for-bots hint">
          A chatbot has the scope <code>imchat:bot</code>.
        </p>
      </PostForm>
    </ConsolePage>
  )
}

const purposes = {
  development: 'For building and testing, with people in your own account.',
  production: 'For the app that people use.',
}

/** The page after registering: the only one that shows the app's secrets. */
function registeredPage(made: Awaited<ReturnType<typeof registerApp>>) {
  const { app, secretToken } = made
  return (
    <ConsolePage
      title="App registered"
      heading={
        <h1>
          <span dir="auto">{app.name}</span> is registered
        </h1>
      }
    >
      <p class="notice" role="status">
        <strong>Copy the secrets now. They are shown only once.</strong> If you lose one, rotate it
        on the app’s pages.
      </p>
      <div class="cards">
        {environments.map((environment) => (
          <Section id={environment} title={capitalize(environment)} class="card">
            <p class="hint">{purposes[environment]}</p>
            <dl class="credentials">
              <ShownSecret label="Client ID" value={made[environment].clientId} />
              <ShownSecret label="Client secret" value={made[environment].clientSecret} />
            </dl>
          </Section>
        ))}
      </div>
      <Section id="webhooks" title="Webhooks" class="card">
        <p class="hint">
          Your app uses the secret token to check that an event came from Skillpass.
        </p>
        <dl class="credentials">
          <ShownSecret label="Secret token" value={secretToken} />
        </dl>
      </Section>
      <p>
        <a class="button" href={appPath(app.id)}>
          Go to the app
        </a>
      </p>
    </ConsolePage>
  )
}
