import type { ComponentChildren } from 'preact'
import { getManagedApp, type ManagedApp } from '../../apps/apps.ts'
import { type Developer, developerOf } from '../../apps/developer.ts'
import type { AppEnvironment } from '../../apps/settings.ts'
import { type Answer, type SignedIn, signedIn } from '../account/page.ts'
import { Done } from '../ui/fields.tsx'
import { capitalize } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'

export interface AppExchange extends SignedIn {
  readonly developer: Developer
  readonly app: ManagedApp
}

/** Wraps a handler of an app's page or form. Throws 404 unless the developer may manage the app. */
export const managed = (act: (exchange: AppExchange) => Promise<Answer>) =>
  signedIn(async (exchange) => {
    const { ctx, req, session } = exchange
    const developer = developerOf(session.user)
    const app = await getManagedApp(ctx, developer, String(req.params.id))
    return act({ ...exchange, developer, app })
  })

export const levels = {
  user: 'Each person allows it for their own data.',
  account:
    'An admin allows it for the whole account. Scopes for sub-accounts need the account’s owner.',
}

export const AppBadges = ({ app }: { app: ManagedApp }) => (
  <>
    <span class="badge">{capitalize(app.type)}</span>{' '}
    <span class="badge">{capitalize(app.visibility)}</span>{' '}
    {app.disabledAt !== null && (
      <span class="badge bad">
        {app.disabledBy === null ? 'Disabled by the platform' : 'Disabled'}
      </span>
    )}
  </>
)

/** The tabs of an app, by label, and the types of app that have them. */
const tabs = {
  Overview: { path: '', types: ['general', 'chatbot', 'server-to-server'] },
  Scopes: { path: '/scopes', types: ['general', 'chatbot', 'server-to-server'] },
  Redirects: { path: '/redirects', types: ['general', 'chatbot'] },
  Webhooks: { path: '/webhooks', types: ['general', 'chatbot'] },
  Messages: { path: '/messages', types: ['chatbot'] },
}

export const appPath = (id: string, rest = ''): string =>
  `/console/apps/${encodeURIComponent(id)}${rest}`

export const scopesPath = (id: string, environment: AppEnvironment, rest = ''): string =>
  appPath(id, `/scopes${rest}?tab=${environment}`)

interface ConsolePageProps {
  title: string
  heading: ComponentChildren
  children: ComponentChildren
}

/** Frame of the console's pages, with a link to the list of apps. */
export const ConsolePage = ({ title, heading, children }: ConsolePageProps) => (
  <AccountPage title={title} class="console stack">
    <header>
      <p class="crumbs">
        <a href="/console">Developer console</a>
      </p>
      {heading}
    </header>
    {children}
  </AccountPage>
)

interface AppPageProps {
  app: ManagedApp
  tab: keyof typeof tabs
  /** Title of the page, if it is not that of the tab. */
  title?: string
  /** Confirmation messages by the value of the `done` query parameter. */
  notes?: Readonly<Record<string, string>>
  children: ComponentChildren
}

/** Frame of an app's pages: name, state and tabs. */
export function AppPage({ app, tab, title = tab, notes = {}, children }: AppPageProps) {
  const shown = Object.entries(tabs).filter(([, { types }]) => types.includes(app.type))
  return (
    <ConsolePage
      title={`${title} · Developer console`}
      heading={
        <>
          <h1 dir="auto">{app.name}</h1>
          <p class="badges">
            <AppBadges app={app} />
          </p>
          <nav class="tabs" aria-label="App">
            <ul>
              {shown.map(([label, { path }]) => (
                <li>
                  <a href={appPath(app.id, path)} aria-current={label === tab ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </>
      }
    >
      <Done notes={notes} />
      {children}
    </ConsolePage>
  )
}

/** A credential; a click selects it. */
export const ShownSecret = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <code class="secret">{value}</code>
    </dd>
  </div>
)
