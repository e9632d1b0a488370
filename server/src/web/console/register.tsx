import { type NewSettings, registerApp } from '../../oauth/apps/apps.ts'
import { type Developer, developerOf } from '../../oauth/apps/developer.ts'
import { environments } from '../../oauth/apps/settings.ts'
import { readChoice } from '../account/form.tsx'
import { show, signedIn } from '../account/page.ts'
import { ChoiceField, type FieldIssues, fieldsOf, PostForm, TextField } from '../ui/fields.tsx'
import { capitalize, Section } from '../ui/parts.tsx'
import { appPath, ConsolePage, levels, readLines, trySaving } from './app.tsx'
import { fieldOfScope, readScopeChoices, ScopePicker, scopeRows } from './scope-picker.tsx'
import { ShownSecret } from './secret.tsx'

export const registerPages = {
  '/console/new': {
    get: signedIn(async ({ session }) => show(newAppPage(developerOf(session.user)))),
    post: signedIn(async ({ ctx, session, form }) => {
      const developer = developerOf(session.user)
      const type = readChoice(form.one('type'), 'type', ['general', 'server-to-server', 'chatbot'])
      const level = readChoice(form.one('level') || 'user', 'level', ['user', 'account'])
      const [name, redirect_uris] = [form.one('name'), form.one('redirect_uris')]
      const { addresses, prefixOf } = readLines(redirect_uris)
      const scopes = readScopeChoices(scopeRows({ type, level }, none), form)
      const client = { ...scopes, redirectUris: type === 'general' ? addresses : [] }
      const registration: NewSettings = {
        name: name.trim(),
        type,
        level: type === 'general' ? level : 'user',
        visibility: 'development',
        ...(type === 'chatbot' ? {} : { development: client, production: client }),
      }
      const register = () => registerApp(ctx, developer, registration)
      const saved = await trySaving(register, ([top, ...below]) => {
        const [key, index] = below
        if (top === 'name' || top === undefined) return { field: 'name' }
        if (key === 'redirectUris') return { field: 'redirect_uris', prefix: prefixOf(index) }
        return index === undefined ? undefined : fieldOfScope(scopes, below)
      })
      if (!saved.issues) return show(registeredPage(saved.made))
      const typed = readScopeChoices(scopeRows(allKinds, none), form)
      const values = { name, type, level, redirect_uris }
      return show(newAppPage(developer, values, scopeRows(allKinds, typed), saved.issues), 400)
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

const forAdmins = 'Only admins of your account can register server-to-server apps.'
const memberTypes = { general: types.general, chatbot: types.chatbot }

const empty = { name: '', type: 'general', level: 'user', redirect_uris: '' }

/** The page that registers an app. Only admins can register server-to-server apps. */
function newAppPage(
  { managesAllApps }: Developer,
  values = empty,
  rows = scopeRows(allKinds, none),
  issues: FieldIssues = {},
) {
  const field = fieldsOf(values, issues)
  return (
    <ConsolePage
      title="Register an app"
      heading={<h1>Register an app</h1>}
      lede="A new app is in development, so only people in your account can use it. You can change everything but its type later."
    >
      <PostForm action="/console/new" class="register stack" issues={issues} submit="Register">
        <TextField
          {...field('name')}
          label="Name"
          hint="People see this name when they are asked to allow the app."
          required
          maxLength={100}
        />
        <ChoiceField
          {...field('type')}
          label="Type"
          options={managesAllApps ? types : memberTypes}
          hint={!managesAllApps && forAdmins}
        />
        <ChoiceField {...field('level')} label="Level" options={levels} class="for-general" />
        <div class="for-general">
          <TextField
            {...field('redirect_uris')}
            label="Redirect addresses"
            rows={3}
            placeholder="https://app.example/callback"
            hint="The addresses people return to after they allow or deny the app, one per line. You can add them later."
          />
        </div>
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
