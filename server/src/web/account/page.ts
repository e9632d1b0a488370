import { isStorable } from '@skillpass/contract'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { JSX } from 'preact'
import { fail } from '../../errors/failure.ts'
import type { Session } from '../../people/sign-in.ts'
import type { Config } from '../../runtime/config/config.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { isThisMachine } from '../../runtime/loopback.ts'
import { pagePolicy, pagePolicyTowards } from '../ui/assets.ts'
import { type Form, formOf } from '../ui/form.ts'
import { sendPage } from '../ui/layout.tsx'
import { pathOf } from '../ui/site.ts'
import { requireOwnForm } from './form.tsx'
import { signInPath } from './return-to.ts'
import { createSite, readVisit, type Visit } from './session.ts'

/** Responds to a request for a page, or to its form. */
export type Handler = (exchange: PageExchange) => Promise<Answer>

/** Pages for people by path, each with the handlers of its GET and of its form. */
export type PageRoutes = Readonly<Record<string, { get?: Handler; post?: Handler }>>

/** A request for a page. Its context records the client's network in the audit log. */
export interface PageExchange {
  readonly ctx: Context
  readonly req: Request
  readonly res: Response
  readonly visit: Visit
  /** The form of a POST, which has passed `requireOwnForm`. */
  readonly form: Form
}

export type SignedIn = PageExchange & { readonly session: Session }

export type Answer =
  | { readonly page: JSX.Element; readonly status: number }
  | { readonly next: string }

export const show = (page: JSX.Element, status = 200): Answer => ({ page, status })

export const redirect = (next: string): Answer => ({ next })

/** Wraps a handler that needs a user. A signed-out visitor signs in first and then returns. */
export const signedIn =
  (act: (exchange: SignedIn) => Promise<Answer>): Handler =>
  async (exchange) => {
    const { req, visit } = exchange
    if (visit.session) return act({ ...exchange, session: visit.session })
    if (req.method !== 'POST') return redirect(signInPath(req.originalUrl))
    return fail(403, 'You have been signed out. Open the page again to sign in.')
  }

/** Creates a router for the pages. Other methods get a 405 with `Allow`. */
export function pageRouter(ctx: Context, pages: PageRoutes): Router {
  const router = Router()
  // An inner router responds to OPTIONS with the methods of its routes.
  const routes = Router()
  router.use(routes)
  const answer =
    (handle: Handler): RequestHandler =>
    async (req, res) => {
      const visit = await readVisit(ctx, req, res)
      const form = formOf(req.method === 'POST' ? req.body : undefined)
      if (req.method === 'POST') requireOwnForm(ctx.config, req, visit, form)
      const given = await handle({ ctx: forRequest(ctx, req), req, res, visit, form })
      // Redirect without a body: the target may contain an authorization code.
      if ('next' in given) res.status(303).setHeader('Location', given.next).end()
      else sendPage(res.status(given.status), given.page, createSite(ctx, req, visit, backTo(req)))
    }
  for (const [path, { get, post }] of Object.entries(pages)) {
    const methods = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])].join(', ')
    if (get) routes.get(path, answer(get))
    if (post) routes.post(path, answer(post))
    router.all(path, (_req, res) => {
      res.setHeader('Allow', methods)
      fail(405)
    })
  }
  return router
}

/** Path to return to after sign-in. It omits the query, which may hold a passcode. */
const backTo = (req: Request) => (req.method === 'POST' ? undefined : pathOf(req))

/**
 * Returns the headers of account pages: no caching, no framing, no referrer. A `redirectUri` is
 * added to the policy as a target of the page's form.
 */
export const accountHeaders = (redirectUri?: string): Record<string, string> => ({
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Apps open the authorize endpoint in a popup, which reports back through `window.opener`.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'Content-Security-Policy':
    redirectUri === undefined ? pagePolicy : pagePolicyTowards(redirectUri),
})

/** A query parameter, or '' if it is absent, repeated or not storable text. */
export function readQuery({ query }: Pick<Request, 'query'>, name: string): string {
  const value = query[name]
  return typeof value === 'string' && isStorable(value) ? value : ''
}

/**
 * Protects account pages from DNS rebinding: throws 400 unless the Host header names a configured
 * host or a loopback address. Ports are ignored, since proxies drop them.
 */
export function requireOwnHost({ apiUrl, authUrl, baseUrl }: Config): RequestHandler {
  const own = new Set([apiUrl, authUrl, baseUrl].map((address) => new URL(address).hostname))
  return (req, _res, next) => {
    const name = req.hostname?.toLowerCase() ?? ''
    if (!own.has(name) && !isThisMachine(name)) {
      fail(400, `This page is available only at ${authUrl}. Open it there.`)
    }
    next()
  }
}
