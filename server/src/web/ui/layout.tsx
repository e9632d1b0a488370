import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { markPath, stylesheetUrl } from '../assets.ts'
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
        <Header search={props.headerSearch !== false} />
        <main id="main" class="frame" tabIndex={-1}>
          {props.children}
        </main>
        <Footer />
      </body>
    </html>
  )
}

/** A whole HTML document from the tree of a page. */
export function renderPage(page: JSX.Element): string {
  return `<!doctype html>${renderToString(page)}`
}

function Header({ search }: { search: boolean }) {
  return (
    <header class="cover">
      <div class="frame">
        <a class="brand" href="/">
          <svg viewBox="0 0 20 20" width="22" height="22" aria-hidden="true">
            <path fill-rule="evenodd" d={markPath} />
          </svg>
          Skillpass
        </a>
        {search && <SearchForm />}
        <nav aria-label="Main">
          <ul>
            <li>
              <a href="/search">Browse</a>
            </li>
            <li>
              <a href="/docs">API docs</a>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  )
}

function Footer() {
  return (
    <footer class="foot">
      <div class="frame">
        <p>Skills for agents, by address and by task.</p>
        <a href="/docs">API docs</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/api/v1/health">Health</a>
      </div>
    </footer>
  )
}
