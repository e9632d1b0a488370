import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { AccountMenu, type Viewer } from './account.tsx'
import { markPath, stylesheetUrl } from './assets.ts'
import { SearchForm } from './search-form.tsx'

interface PageProps {
  /** Title of the page, without the name of the service. */
  title?: string
  /** One or two sentences for search engines and previews. */
  description: string
  /** Address that all spellings of this page share. */
  canonical?: string
  /** Address of the same content as markdown. */
  markdownUrl?: string
  /** False keeps the page out of search engines. */
  indexed?: boolean
  /** False where the page brings its own search form. */
  headerSearch?: boolean
  /** Set on the pages of the authorization service: who is signed in, if anyone is. */
  account?: { viewer: Viewer | undefined }
  children: ComponentChildren
}

/** Frame of every page: head, skip link, header, the content as `main`, footer. */
export function Page(props: PageProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{props.title ? `${props.title} · Skillpass` : 'Skillpass'}</title>
        <meta name="description" content={props.description} />
        {props.indexed === false && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href={stylesheetUrl} />
        <link rel="icon" type="image/svg+xml" href="/favicon.ico" />
        {props.canonical && <link rel="canonical" href={props.canonical} />}
        {props.markdownUrl && (
          <link rel="alternate" type="text/markdown" href={props.markdownUrl} />
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="cover">
          <div class="frame">
            <a class="brand" href={props.account ? '/my/apps' : '/'}>
              <svg viewBox="0 0 20 20" width="22" height="22" aria-hidden="true">
                <path fill-rule="evenodd" d={markPath} />
              </svg>
              Skillpass
            </a>
            {props.account ? (
              props.account.viewer && <AccountMenu viewer={props.account.viewer} />
            ) : (
              <RegistryMenu search={props.headerSearch !== false} />
            )}
          </div>
        </header>
        <main id="main" class="frame" tabIndex={-1}>
          {props.children}
        </main>
        <footer class="foot">
          <div class="frame">{props.account ? <AccountLinks /> : <RegistryLinks />}</div>
        </footer>
      </body>
    </html>
  )
}

interface AccountPageProps {
  title: string
  description?: string
  viewer: Viewer | undefined
  class: string
  children: ComponentChildren
}

/** Frame of a page of the authorization service, which search engines keep out. */
export function AccountPage(props: AccountPageProps): JSX.Element {
  const { title, description = title, viewer, children } = props
  return (
    <Page title={title} description={description} indexed={false} account={{ viewer }}>
      <div class={props.class}>{children}</div>
    </Page>
  )
}

/** A whole HTML document from the tree of a page. */
export function renderPage(page: JSX.Element): string {
  return `<!doctype html>${renderToString(page)}`
}

function RegistryMenu({ search }: { search: boolean }) {
  return (
    <>
      {search && <SearchForm />}
      <nav aria-label="Main">
        <ul>
          <li>
            <a href="/resolve">Resolve</a>
          </li>
          <li>
            <a href="/search">Browse</a>
          </li>
          <li>
            <a href="/docs">API docs</a>
          </li>
        </ul>
      </nav>
    </>
  )
}

function RegistryLinks() {
  return (
    <>
      <p>Skills for agents, by address and by task.</p>
      <a href="/docs">API docs</a>
      <a href="/openapi.json">OpenAPI</a>
      <a href="/api/v1/health">Health</a>
    </>
  )
}

function AccountLinks() {
  return (
    <>
      <p>Allow only what you asked for yourself.</p>
      <a href="/my/apps">Your apps</a>
      <a href="/oauth_device">Connect a device</a>
    </>
  )
}
