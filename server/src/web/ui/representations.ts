import type { Request, RequestHandler, Response } from 'express'
import type { JSX } from 'preact'
import { sandbox } from '../../http/sandbox.ts'
import { sendPublicPage } from './layout.tsx'
import type { SiteOf } from './site.ts'

export interface Representations {
  readonly page: () => JSX.Element | Promise<JSX.Element>
  readonly markdown: () => string | Promise<string>
  /** Whether the path is that of the markdown. By default, if it ends with `.md`. */
  readonly isMarkdown?: boolean
}

/**
 * Serves a page, or its markdown if the path ends with `.md` or Accept prefers `text/markdown`. For a
 * wildcard in Accept it serves the page.
 */
export const negotiate =
  <P>(
    siteOf: SiteOf,
    read: (req: Request<P>, res: Response) => Representations | Promise<Representations>,
  ): RequestHandler<P> =>
  async (req, res) => {
    res.vary('Accept')
    const forms = await read(req, res)
    const { page, markdown, isMarkdown = /\.md\/?$/.test(req.path) } = forms
    if (isMarkdown || prefersMarkdown(req)) sendMarkdown(res, await markdown())
    else sendPublicPage(res, await page(), await siteOf(req, req.originalUrl))
  }

const prefersMarkdown = (req: Pick<Request, 'headers' | 'accepts'>) =>
  req.headers.accept?.includes('text/markdown') === true &&
  req.accepts(['text/html', 'text/markdown']) === 'text/markdown'

/** Sends markdown, sandboxed because it may contain text of strangers. */
export function sendMarkdown(res: Response, text: string, type = 'text/markdown'): void {
  sandbox(res)
  res.setHeader('Cache-Control', 'no-cache')
  res.type(`${type}; charset=utf-8`).send(text)
}

/** The paths of a page. The markdown's path comes first because `path` may match both. */
export const pathsOf = (path: string): string[] => [`${path}.md`, path]
