import type { Request, RequestHandler, Response } from 'express'
import type { JSX } from 'preact'
import { sandbox } from '../../http/sandbox.ts'
import { sendPublicPage } from './layout.tsx'
import type { SiteOf } from './site.ts'

export interface TwoForms {
  readonly page: () => JSX.Element | Promise<JSX.Element>
  readonly markdown: () => string | Promise<string>
  /** Whether the address is that of the markdown; by default, if it ends with `.md`. */
  readonly isMarkdown?: boolean
}

/**
 * Answers with a page, or with its markdown if the path ends with `.md` or the request names it in Accept:
 * programs that take anything get the page, as from any site.
 */
export const eitherForm =
  <P>(
    siteOf: SiteOf,
    read: (req: Request<P>, res: Response) => TwoForms | Promise<TwoForms>,
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

/** Answers with markdown that a browser does nothing with; strangers wrote much of it. */
export function sendMarkdown(res: Response, text: string, type = 'text/markdown'): void {
  sandbox(res)
  res.setHeader('Cache-Control', 'no-cache')
  res.type(`${type}; charset=utf-8`).send(text)
}

/** The paths of a page: that of its markdown first, as the other fits both. */
export const pathsOf = (path: string): string[] => [`${path}.md`, path]
