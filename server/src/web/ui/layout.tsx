import type { Response } from 'express'
import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { stylesheet } from './assets.ts'
import { SiteFooter, SiteHeader } from './frame.tsx'
import { type Site, SiteProvider } from './site.ts'

interface PageProps {
  /** Title of the page, without the name of the service. */
  title?: string
  /** One or two sentences for search engines and previews. */
  description: string
  canonical?: string
  markdownUrl?: string
  /** False excludes the page from search engines. */
  indexed?: boolean
  stylesheets?: readonly string[]
  /** Script URLs. The page's content security policy has to allow them. */
  scripts?: readonly string[]
  children: ComponentChildren
}

export function Page(props: PageProps) {
  const { stylesheets = [stylesheet.url], scripts = [] } = props
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{props.title ? `${props.title} · Skillpass` : 'Skillpass'}</title>
        <meta name="description" content={props.description} />
        {props.indexed === false && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        {stylesheets.map((url) => (
          <link rel="stylesheet" href={url} />
        ))}
        {scripts.map((url) => (
          <script defer src={url} />
        ))}
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
        <SiteHeader />
        <main id="main" class="frame" tabIndex={-1}>
          {props.children}
        </main>
        <SiteFooter />
      </body>
    </html>
  )
}

/** Frame of a page of the authorization service; excluded from search engines. */
export const AccountPage = (props: {
  title: string
  class: string
  children: ComponentChildren
}) => (
  <Page title={props.title} description={props.title} indexed={false}>
    <div class={props.class}>{props.children}</div>
  </Page>
)

export const renderPage = (page: JSX.Element, site: Site): string =>
  `<!doctype html>${renderToString(<SiteProvider value={site}>{page}</SiteProvider>)}`

export function sendPage(res: Response, page: JSX.Element, site: Site): void {
  res.type('html').send(renderPage(page, site))
}

/**
 * Sends a public page. Caches must revalidate it, so that changes show immediately. A page with the
 * name of a signed-in user is not cached at all.
 */
export function sendPublicPage(res: Response, page: JSX.Element, site: Site): void {
  if (site.served.has('oauth')) res.vary('Cookie')
  res.setHeader('Cache-Control', site.viewer ? 'private, no-store' : 'no-cache')
  sendPage(res, page, site)
}
