import type { ComponentChildren } from 'preact'
import { type AppManager, managerOf } from '../../oauth/apps/app-manager.ts'
import { getManagedApp, type ManagedApp } from '../../oauth/apps/apps.ts'
import { type AppEnvironment, environments } from '../../oauth/apps/settings.ts'
import { type Answer, type SignedIn, signedIn } from '../account/page.ts'
import { AccountPage } from '../ui/account.tsx'
import { copyScript, filterScript } from '../ui/assets.ts'
import { Done } from '../ui/fields.tsx'
import { readChoice } from '../ui/form.ts'
import { capitalize, LinkList } from '../ui/parts.tsx'

export type AppExchange = SignedIn & { readonly manager: AppManager; readonly app: ManagedApp }

/** Wraps a handler of an app's page or form. Throws 404 unless the manager may manage the app. */
export const managed = (act: (exchange: AppExchange) => Promise<Answer>) =>
  signedIn(async (exchange) => {
    const { ctx, req, session } = exchange
    const manager = managerOf(session.user)
    const app = await getManagedApp(ctx, manager, String(req.params.id))
    return act({ ...exchange, manager, app })
  })

export const readEnvironment = (text: string): AppEnvironment =>
  readChoice(text, 'environment', environments)

/** Whether neither set of credentials has a scope. */
export const hasNoScopes = ({ development, production }: ManagedApp): boolean =>
  [development, production].every(
    ({ scopes, optionalScopes }) => scopes.length + optionalScopes.length === 0,
  )

/** Warns of an app that can do nothing. */
export const NoScopes = ({ app }: { app: ManagedApp }) =>
  hasNoScopes(app) && (
    <p class="notice warn">
      <strong>This app has no scopes, so it can do nothing yet.</strong>{' '}
      <a href={appPath(app.id, '/scopes')}>Choose its scopes</a>
    </p>
  )

export const AppBadges = ({ app }: { app: ManagedApp }) => (
  <p class="badges">
    <span class="badge">{capitalize(app.type)}</span>{' '}
    {/* A server-to-server app acts only for its own account. */}
    {app.type !== 'server-to-server' && <span class="badge">{capitalize(app.visibility)}</span>}{' '}
    {app.deauthorizationUrl !== null && !app.endpointIsValid && (
      <span class="badge bad">Endpoint not validated</span>
    )}{' '}
    {hasNoScopes(app) && <span class="badge bad">No scopes</span>}{' '}
    {app.disabledAt !== null && (
      <span class="badge bad">
        {app.disabledBy === null ? 'Disabled by the platform' : 'Disabled'}
      </span>
    )}
  </p>
)

/** The tabs of an app, by label, and the types of app that have them. */
const tabs = {
  Overview: { path: '', types: ['general', 'chatbot', 'server-to-server'] },
  Scopes: { path: '/scopes', types: ['general', 'chatbot', 'server-to-server'] },
  Calls: { path: '/calls', types: ['general', 'chatbot', 'server-to-server'] },
  Redirects: { path: '/redirects', types: ['general', 'chatbot'] },
  Webhooks: { path: '/webhooks', types: ['general', 'chatbot'] },
  Messages: { path: '/messages', types: ['chatbot'] },
}

export const appPath = (id: string, rest = ''): string =>
  `/console/apps/${encodeURIComponent(id)}${rest}`

interface ConsolePageProps {
  title: string
  heading: ComponentChildren
  lede?: string
  children: ComponentChildren
}

/** Frame of the console's pages, with a link to the list of apps. */
export const ConsolePage = ({ title, heading, lede, children }: ConsolePageProps) => (
  <AccountPage title={title} class="console stack" scripts={[copyScript.url, filterScript.url]}>
    <header>
      <p class="crumbs">
        <a href="/console">Developer console</a>
      </p>
      {heading}
      {lede && <p class="lede">{lede}</p>}
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
  const links = shown.map(([label, { path }]) => {
    return { label, path: appPath(app.id, path), current: label === tab && ('page' as const) }
  })
  const heading = (
    <>
      <h1 dir="auto">{app.name}</h1>
      <AppBadges app={app} />
      <nav class="tabs" aria-label="App">
        <LinkList links={links} />
      </nav>
    </>
  )
  return (
    <ConsolePage title={`${title} · Developer console`} heading={heading}>
      <Done notes={notes} />
      {children}
    </ConsolePage>
  )
}

/** Reads a field with one address per line. `prefixOf` names the line of an address in an issue. */
export function readLines(text: string) {
  const lines = text.split(/\r\n|\r|\n/).map((line, at) => ({ line: line.trim(), number: at + 1 }))
  const filled = lines.filter(({ line }) => line !== '')
  return {
    addresses: filled.map(({ line }) => line),
    prefixOf: (at?: string) => (at === undefined ? '' : `Line ${filled[Number(at)]?.number}: `),
  }
}
