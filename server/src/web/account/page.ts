import { isStorable } from '@skillpass/contract'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { JSX } from 'preact'
import { from } from '../../audit/origin.ts'
import { fail } from '../../errors/failure.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { pagePolicy, pagePolicyTowards } from '../ui/assets.ts'
import { sendPage } from '../ui/layout.tsx'
import { pathOf, type SiteOf } from '../ui/site.ts'

/** A page for people: its address, and what opening it and sending its form answer. */
export interface PageRoute {
  readonly path: string
  readonly get?: Handler
  readonly post?: Handler
  /** Why an address that takes a form alone cannot be opened; a 405 says it by default. */
  readonly closed?: string
}

type Handler = (exchange: Exchange) => Promise<Answer>

/** A request for a page; what is done under its context is recorded with the client's network. */
export interface Exchange {
  readonly ctx: OAuthContext
  readonly req: Request
  readonly res: Response
}

/** A page to show, or where the browser goes on. */
export type Answer =
  | { readonly page: JSX.Element; readonly status: number }
  | { readonly next: string }

/** Shows a page. */
export const show = (page: JSX.Element, status = 200): Answer => ({ page, status })

/** Sends the browser on. */
export const goOn = (next: string): Answer => ({ next })

/** Routes to the pages of a table; another method is refused with those that the page takes. */
export function pageRouter(ctx: OAuthContext, pages: readonly PageRoute[], siteOf: SiteOf): Router {
  const router = Router()
  // A router within answers OPTIONS for the methods that its routes take.
  const routes = Router()
  router.use(routes)
  const answer =
    (handle: Handler): RequestHandler =>
    async (req, res) => {
      const given = await handle({ ctx: from(ctx, req), req, res })
      if ('next' in given) sendOn(res, given.next)
      else sendPage(res.status(given.status), given.page, await siteOf(req, backTo(req)))
    }
  for (const { path, get, post, closed } of pages) {
    const methods = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ')
    if (get) routes.get(path, answer(get))
    if (post) routes.post(path, answer(post))
    if (closed) routes.get(path, () => fail(403, closed))
    router.all(path, (_req, res) => {
      res.setHeader('Allow', methods)
      fail(405)
    })
  }
  return router
}

/** Where signing in leads to from a page: back to it, without its query, which may hold a passcode. */
const backTo = (req: Request) => (req.method === 'POST' ? undefined : pathOf(req))

/** Not a word of where to in the body: addresses of apps hold codes. */
function sendOn(res: Response, next: string): void {
  res.setHeader('Location', next)
  res.status(303).end()
}

/**
 * Headers of every page on which people sign in and decide: kept by no cache, framed by nobody, and
 * telling no other site where they were. `redirectUri` is where its form may lead in the end.
 */
export function setAccountHeaders(res: Response, redirectUri?: string): void {
  res.set({
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Apps open the authorize endpoint in a window of their own, and hear from it by its opener.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Content-Security-Policy':
      redirectUri === undefined ? pagePolicy : pagePolicyTowards(redirectUri),
  })
}

/** A parameter of the address, where it stands there once and is text that may be looked up. */
export function readQuery({ query }: Pick<Request, 'query'>, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' && isStorable(value) ? value : undefined
}

/** What an address says was just done, in the words of these notes. */
export function noteOf(req: Request, notes: Readonly<Record<string, string>>): string | undefined {
  const done = readQuery(req, 'done') ?? ''
  return Object.hasOwn(notes, done) ? notes[done] : undefined
}
