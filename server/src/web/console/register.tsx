import type { AppSettings } from '../../apps/settings.ts'
import { PostForm, type Viewer } from '../ui/account.tsx'
import { ChoiceField, type FieldIssues, FormIssue, Submit, TextField } from '../ui/fields.tsx'
import { renderPage } from '../ui/layout.tsx'
import { appPath, ConsolePage, levels, ShownSecret } from './layout.tsx'
import type { ScopeRow } from './scope-choices.ts'
import { ScopePicker } from './scope-picker.tsx'

/** The three kinds of app, a sentence each (OAuth spec §1). */
const types = [
  {
    value: 'general',
    label: 'General',
    words:
      'For other people and accounts: a person allows it in a browser or on a device, and it acts for that person.',
  },
  {
    value: 'server-to-server',
    label: 'Server-to-server',
    words: 'Automation on your own account: it acts by itself, and no person is asked.',
  },
  {
    value: 'chatbot',
    label: 'Chatbot',
    words: 'Sends messages to team chat as a bot.',
  },
]

export interface NewAppPageData {
  token: string
  viewer: Viewer
  values: Pick<AppSettings, 'name' | 'type' | 'level'> & { redirectUris: string }
  /** The scopes of every kind of app; the page shows those of the kind that is chosen. */
  rows: readonly ScopeRow[]
  issues: FieldIssues
  /** Whether the viewer manages all of the account: apps that act for it are theirs to make. */
  seesAll: boolean
}

/** The page to register an app on. */
export function renderNewAppPage(data: NewAppPageData): string {
  const { token, viewer, values, rows, issues, seesAll } = data
  return renderPage(
    <ConsolePage
      title="Register an app"
      description="Register an app of your own."
      viewer={viewer}
      heading={
        <>
          <h1>Register an app</h1>
          <p class="lede">
            It begins in development: only people of your account can use it. All but its type can
            be changed later.
          </p>
        </>
      }
    >
      <FormIssue issues={issues} />
      <PostForm action="/console/new" token={token} class="register stack">
        <TextField
          name="name"
          label="Name"
          value={values.name}
          issue={issues.name}
          hint="People see it when they are asked to allow the app."
          required
          maxLength={100}
        />
        <ChoiceField
          name="type"
          label="Type"
          value={values.type}
          issue={issues.type}
          options={seesAll ? types : types.filter(({ value }) => value !== 'server-to-server')}
          hint={!seesAll && 'Server-to-server apps are for the admins of your account to register.'}
        />
        <ChoiceField
          name="level"
          label="Level"
          value={values.level}
          issue={issues.level}
          options={levels}
          class="for-general"
        />
        <div class="for-general">
          <TextField
            name="redirect_uris"
            label="Redirect addresses"
            value={values.redirectUris}
            issue={issues.redirect_uris}
            rows={3}
            placeholder="https://app.example/callback"
            hint="Where people are sent back to, one per line; compared to the letter. You may add them later."
          />
        </div>
        <section class="field for-scopes" aria-labelledby="scopes">
          <h2 id="scopes">Scopes</h2>
          <p class="hint">
            What the app may do, in both tabs at first.{' '}
            <span class="for-general">
              People must allow what is required, and choose what is optional.
            </span>
          </p>
          <ScopePicker rows={rows} issues={issues} />
        </section>
        <p class="for-bots hint">
          A chatbot has the scope <code>imchat:bot</code>.
        </p>
        <p>
          <Submit>Register</Submit>
        </p>
      </PostForm>
    </ConsolePage>,
  )
}

export interface RegisteredPageData {
  app: { id: string; name: string }
  secretToken: string
  development: { clientId: string; clientSecret: string }
  production: { clientId: string; clientSecret: string }
  viewer: Viewer
}

/** The page after registering: the only one that shows the app's secrets. */
export function renderRegisteredPage(data: RegisteredPageData): string {
  const { app, secretToken, viewer } = data
  return renderPage(
    <ConsolePage
      title="App registered"
      description="The secrets of a new app."
      viewer={viewer}
      heading={
        <h1>
          <span dir="auto">{app.name}</span> is registered
        </h1>
      }
    >
      <p class="notice" role="status">
        <strong>Copy the secrets now: this page shows them once.</strong> If you lose one, make a
        new one on the app’s pages.
      </p>
      <div class="cards">
        <Credentials title="Development" id="development" {...data.development}>
          For building and testing, with people of your own account.
        </Credentials>
        <Credentials title="Production" id="production" {...data.production}>
          For the app that people use.
        </Credentials>
      </div>
      <section class="card" aria-labelledby="webhooks">
        <h2 id="webhooks">Webhooks</h2>
        <p class="hint">With it the app verifies that an event came from here.</p>
        <dl class="credentials">
          <ShownSecret label="Secret token" value={secretToken} />
        </dl>
      </section>
      <p>
        <a class="button" href={appPath(app.id)}>
          Go to the app
        </a>
      </p>
    </ConsolePage>,
  )
}

interface CredentialsProps {
  id: string
  title: string
  clientId: string
  clientSecret: string
  children: string
}

function Credentials({ id, title, clientId, clientSecret, children }: CredentialsProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="hint">{children}</p>
      <dl class="credentials">
        <ShownSecret label="Client ID" value={clientId} />
        <ShownSecret label="Client secret" value={clientSecret} />
      </dl>
    </section>
  )
}
