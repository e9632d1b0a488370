import type { Request, RequestHandler, Response } from 'express'
import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { sandbox } from '../../http/responses.ts'
import { stylesheet } from './assets.ts'
import { SiteFooter, SiteHeader } from './frame.tsx'
import { type Site, type SiteOf, SiteProvider } from './site.ts'

interface PageProps {
  /** Title of the page, without the name of the service. */
  title?: string
  /** One or two sentences for search engines and previews. */
  description: string
  canonical?: string | undefined
  markdownUrl?: string
  feedUrl?: string | undefined
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
        {props.feedUrl && <link rel="alternate" type="application/atom+xml" href={props.feedUrl} />}
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
  res.vary('Cookie')
  res.setHeader('Cache-Control', site.viewer || site.agent ? 'private, no-store' : 'no-cache')
  sendPage(res, page, site)
}

export interface Representations {
  readonly page: () => JSX.Element | Promise<JSX.Element>
  readonly markdown: () => string | Promise<string>
  /** Whether the path is that of the markdown. By default, if it ends with `.md`. */
  readonly isMarkdown?: boolean
}

/**
 * Serves a page, or its markdown if the path ends with `.md` or Accept prefers `text/markdown`. For
 * a wildcard in Accept it serves the page.
 */
export const negotiate =
  <P,>(
    siteOf: SiteOf,
    read: (req: Request<P>, res: Response) => Representations | Promise<Representations>,
  ): RequestHandler<P> =>
  async (req, res) => {
    res.vary('Accept')
    const forms = await read(req, res)
    const { page, markdown, isMarkdown = /\.md\/?$/.test(req.path) } = forms
    const namesMarkdown = req.headers.accept?.includes('text/markdown')
    const preferred = namesMarkdown && req.accepts(['text/html', 'text/markdown'])
    if (isMarkdown || preferred === 'text/markdown') sendMarkdown(res, await markdown())
    else sendPublicPage(res, await page(), await siteOf(req, req.originalUrl))
  }

/** Sends markdown, sandboxed because it may contain text of strangers. */
export function sendMarkdown(res: Response, text: string, type = 'text/markdown'): void {
  sandbox(res)
  res.setHeader('Cache-Control', 'no-cache')
  res.type(`${type}; charset=utf-8`).send(text)
}

/** The paths of a page. The markdown's path comes first because `path` may match both. */
export const pathsOf = (path: string): string[] => [`${path}.md`, path]
