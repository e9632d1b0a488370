import type { ComponentChildren } from 'preact'
import type { ManagedApp } from '../../apps/managed-apps.ts'
import type { AppEnvironment, AppSettings } from '../../apps/settings.ts'
import { Done } from '../ui/fields.tsx'
import { capitalize } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'

export const levels = {
  user: 'Each person allows it for their own data.',
  account:
    'An admin allows it for the whole account. Scopes for sub-accounts need the account’s owner.',
}

export function AppBadges({ app }: { app: ManagedApp }) {
  return (
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
}

type AppTab = 'overview' | 'scopes' | 'redirects' | 'webhooks' | 'messages'

const tabs: { tab: AppTab; label: string; path: string; of?: readonly AppSettings['type'][] }[] = [
  { tab: 'overview', label: 'Overview', path: '' },
  { tab: 'scopes', label: 'Scopes', path: '/scopes' },
  { tab: 'redirects', label: 'Redirects', path: '/redirects', of: ['general', 'chatbot'] },
  { tab: 'webhooks', label: 'Webhooks', path: '/webhooks', of: ['general', 'chatbot'] },
  { tab: 'messages', label: 'Messages', path: '/messages', of: ['chatbot'] },
]

export const appPath = (id: string, rest = ''): string =>
  `/console/apps/${encodeURIComponent(id)}${rest}`

export const scopesPath = (id: string, environment: AppEnvironment, rest = ''): string =>
  appPath(id, `/scopes${rest}?tab=${environment}`)

interface AppPageProps {
  app: ManagedApp
  tab: AppTab
  title: string
  /** Confirmation messages by the value of the `done` query parameter. */
  notes?: Readonly<Record<string, string>>
  children: ComponentChildren
}

interface ConsolePageProps {
  title: string
  heading: ComponentChildren
  children: ComponentChildren
}

/** Frame of the console's pages, with a link to the list of apps. */
export function ConsolePage(props: ConsolePageProps) {
  const { title, heading, children } = props
  return (
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
}

/** Frame of an app's pages: name, state and tabs. */
export function AppPage({ app, tab, title, notes = {}, children }: AppPageProps) {
  const shown = tabs.filter(({ of }) => of === undefined || of.includes(app.type))
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
              {shown.map((one) => (
                <li>
                  <a
                    href={appPath(app.id, one.path)}
                    aria-current={one.tab === tab ? 'page' : undefined}
                  >
                    {one.label}
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
export function ShownSecret({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code class="secret">{value}</code>
      </dd>
    </div>
  )
}
