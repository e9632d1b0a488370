import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context/context.ts'
import { fail } from '../../errors/failure.ts'
import { knownBrowserLifetime } from '../../platform/known-browser.ts'
import { findSession, type Session, sessionLifetime } from '../../platform/sign-in.ts'
import { equalSecrets, randomBase62 } from '../../secrets/secrets.ts'

/** A browser on the pages for people. */
export interface Visit {
  /** What its cookie holds; its forms are bound to it. */
  readonly secret: string
  readonly session: Session | undefined
}

/** The same where somebody is signed in. */
export type SignedInVisit = Visit & { readonly session: Session }

/** Whether somebody is signed in. */
export const isSignedIn = (visit: Visit): visit is SignedInVisit => visit.session !== undefined

/** Over https the prefix keeps other hosts of the domain, and plain http, from setting the cookie. */
const cookieName = ({ authUrl }: Config) =>
  authUrl.startsWith('https:') ? '__Host-skillpass' : 'skillpass_session'

const cookieForm = /^\w{43,100}$/

/**
 * Who visits. A browser without a cookie gets a random one, so that the form it signs in with is
 * bound to it too; that one opens nothing, and signing in replaces it.
 */
export async function readVisit(ctx: Context, req: Request, res: Response): Promise<Visit> {
  const given = parseCookie(req.headers.cookie ?? '')[cookieName(ctx.config)] ?? ''
  if (cookieForm.test(given)) return { secret: given, session: await findSession(ctx, given) }
  const secret = randomBase62(ctx.random, 43)
  // A form that another site sends comes without the cookie: its answer must not sign anyone out.
  if (req.method === 'GET') setSessionCookie(ctx, res, secret)
  return { secret, session: undefined }
}

/** Gives the browser the secret of a session. */
export function setSessionCookie({ config }: Context, res: Response, secret: string): void {
  res.append(
    'Set-Cookie',
    stringifySetCookie(cookieName(config), secret, {
      httpOnly: true,
      maxAge: sessionLifetime / 1000,
      path: '/',
      sameSite: 'lax',
      secure: config.authUrl.startsWith('https:'),
    }),
  )
}

/** Takes the cookie back. */
export function clearSessionCookie({ config }: Context, res: Response): void {
  const secure = config.authUrl.startsWith('https:')
  const options = { httpOnly: true, maxAge: 0, path: '/', sameSite: 'lax', secure } as const
  res.append('Set-Cookie', stringifySetCookie(cookieName(config), '', options))
}

/** The cookie of a known browser: rules as the session's, and a life of its own. */
const browserCookieName = ({ authUrl }: Config) =>
  authUrl.startsWith('https:') ? '__Host-skillpass-browser' : 'skillpass_browser'

const browserCookieForm = /^[\w.:~-]{1,1000}$/

/** What the browser keeps to be known at a sign-in; empty where it keeps nothing. */
export function readBrowserCookie({ config }: Context, req: Request): string {
  const kept = parseCookie(req.headers.cookie ?? '')[browserCookieName(config)] ?? ''
  return browserCookieForm.test(kept) ? kept : ''
}

/** Lets the browser be known at its next sign-in, as `rememberUser` made it. */
export function setBrowserCookie({ config }: Context, res: Response, kept: string): void {
  res.append(
    'Set-Cookie',
    stringifySetCookie(browserCookieName(config), kept, {
      httpOnly: true,
      maxAge: knownBrowserLifetime / 1000,
      path: '/',
      sameSite: 'lax',
      secure: config.authUrl.startsWith('https:'),
    }),
  )
}

/** What a form carries to prove that it stood on a page of ours, in this browser, for this purpose. */
export const formToken = ({ secret }: Pick<Visit, 'secret'>, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url')

/** Refuses a form that another site has sent, or that was made for another browser or purpose. */
export function requireOwnForm(
  { config }: Context,
  req: Request,
  visit: Visit,
  { purpose, token }: { purpose: string; token: string },
): void {
  const isOwn =
    req.headers['sec-fetch-site'] !== 'cross-site' &&
    isOwnOrigin(config, req) &&
    equalSecrets(token, formToken(visit, purpose))
  if (!isOwn) {
    fail(403, 'This form is too old, or another site sent it. Open the page again.')
  }
}

/** Browsers name no origin in forms of pages with Referrer-Policy no-referrer, as ours: `null`. */
function isOwnOrigin({ authUrl }: Config, { headers: { origin, host } }: Request): boolean {
  if (origin === undefined || origin === 'null' || origin === authUrl) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
