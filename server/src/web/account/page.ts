import { isStorable } from '@skillpass/contract'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { JSX } from 'preact'
import { from } from '../../audit/origin.ts'
import { fail } from '../../errors/failure.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import type { Session } from '../../platform/sign-in.ts'
import { pagePolicy, pagePolicyTowards } from '../ui/assets.ts'
import { sendPage } from '../ui/layout.tsx'
import { pathOf } from '../ui/site.ts'
import { type Form, formOf } from './form.ts'
import { signInPath } from './return-to.ts'
import { readVisit, requireOwnForm, type Visit } from './session.ts'
import { siteAround } from './site.ts'

/** A page for people: its address, and what opening it and sending its form answer. */
export interface PageRoute {
  readonly path: string
  readonly get?: (exchange: Exchange) => Promise<Answer>
  readonly post?: (exchange: Sent<Exchange>) => Promise<Answer>
  /** Why an address that takes a form alone cannot be opened; a 405 says it by default. */
  readonly closed?: string
}

/** A request for a page; what is done under its context is recorded with the client's network. */
export interface Exchange {
  readonly ctx: OAuthContext
  readonly req: Request
  readonly res: Response
  readonly visit: Visit
}

/** A request with a form that one of our pages held. */
export type Sent<E extends Exchange> = E & { readonly form: Form }

export interface SignedIn extends Exchange {
  readonly session: Session
}

export type Answer =
  | { readonly page: JSX.Element; readonly status: number }
  | { readonly next: string }

export const show = (page: JSX.Element, status = 200): Answer => ({ page, status })

export const goOn = (next: string): Answer => ({ next })

/** Handles what needs a user: who is not signed in does that first, and comes back to the page. */
export const signedIn =
  <E extends Exchange>(act: (exchange: E & SignedIn) => Promise<Answer>) =>
  async (exchange: E): Promise<Answer> => {
    const { req, visit } = exchange
    if (visit.session) return act({ ...exchange, session: visit.session })
    if (req.method !== 'POST') return goOn(signInPath(req.originalUrl))
    return fail(403, 'You have been signed out. Open the page again to sign in.')
  }

/** Routes to the pages of a table; another method is refused with those that the page takes. */
export function pageRouter(ctx: OAuthContext, pages: readonly PageRoute[]): Router {
  const router = Router()
  // A router within answers OPTIONS for the methods that its routes take.
  const routes = Router()
  router.use(routes)
  const answer =
    (handle: (exchange: Exchange) => Promise<Answer>): RequestHandler =>
    async (req, res) => {
      const visit = await readVisit(ctx, req, res)
      const given = await handle({ ctx: from(ctx, req), req, res, visit })
      if ('next' in given) sendOn(res, given.next)
      else sendPage(res.status(given.status), given.page, siteAround(ctx, req, visit, backTo(req)))
    }
  for (const { path, get, post, closed } of pages) {
    const methods = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ')
    if (get) routes.get(path, answer(get))
    if (post) {
      const read = async (exchange: Exchange) => {
        const form = formOf(exchange.req)
        requireOwnForm(ctx.config, exchange.req, exchange.visit, form)
        return post({ ...exchange, form })
      }
      routes.post(path, answer(read))
    }
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
