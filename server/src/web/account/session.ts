import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import type { Config } from '../../config/config.ts'
import { fail } from '../../errors/failure.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { knownBrowserLifetime } from '../../platform/known-browser.ts'
import { findSession, type Session, sessionLifetime } from '../../platform/sign-in.ts'
import { equalSecrets, randomBase62 } from '../../secrets/secrets.ts'
import type { HiddenFields } from '../ui/site.ts'
import type { Form } from './form.ts'

export interface Visit {
  /** What its cookie holds; its forms are bound to it. */
  readonly secret: string
  readonly session: Session | undefined
}

/** A cookie of ours: its name where a prefix would be refused, what follows the prefix, its form, its life in ms. */
interface Cookie {
  readonly plain: string
  readonly prefixed: string
  readonly form: RegExp
  readonly lifetime: number
}

export const sessionCookie: Cookie = {
  plain: 'skillpass_session',
  prefixed: '__Host-skillpass',
  form: /^\w{43,100}$/,
  lifetime: sessionLifetime,
}

/** What a browser keeps to be known at its next sign-in. */
export const browserCookie: Cookie = {
  plain: 'skillpass_browser',
  prefixed: '__Host-skillpass-browser',
  form: /^[\w.:~-]{1,1000}$/,
  lifetime: knownBrowserLifetime,
}

const isSecure = ({ authUrl }: Config) => authUrl.startsWith('https:')

/** Over https the prefix keeps other hosts of the domain, and plain http, from setting the cookie. */
const nameOf = (config: Config, { plain, prefixed }: Cookie) =>
  isSecure(config) ? prefixed : plain

interface CookieHolder {
  readonly ctx: OAuthContext
  readonly req: Pick<Request, 'headers'>
}

/** What a cookie holds; empty where it is absent or of another form. */
export function readCookie({ ctx, req }: CookieHolder, cookie: Cookie): string {
  const value = parseCookie(req.headers.cookie ?? '')[nameOf(ctx.config, cookie)] ?? ''
  return cookie.form.test(value) ? value : ''
}

/** Sets a cookie; an empty one is taken back. */
export function setCookie(
  { ctx, res }: { ctx: OAuthContext; res: Response },
  cookie: Cookie,
  value: string,
) {
  const header = stringifySetCookie(nameOf(ctx.config, cookie), value, {
    httpOnly: true,
    maxAge: value === '' ? 0 : cookie.lifetime / 1000,
    path: '/',
    sameSite: 'lax',
    secure: isSecure(ctx.config),
  })
  res.append('Set-Cookie', header)
}

/** Who visits with a cookie; without one nobody is told apart, and none is given. */
export async function findVisit(exchange: CookieHolder): Promise<Visit | undefined> {
  const secret = readCookie(exchange, sessionCookie)
  return secret === '' ? undefined : { secret, session: await findSession(exchange.ctx, secret) }
}

/**
 * Who visits. A browser without a cookie gets a random one, so that the form it signs in with is
 * bound to it too; that one opens nothing, and signing in replaces it.
 */
export async function readVisit(ctx: OAuthContext, req: Request, res: Response): Promise<Visit> {
  const known = await findVisit({ ctx, req })
  if (known) return known
  const secret = randomBase62(ctx.random, 43)
  // A form that another site sends comes without the cookie: its answer must not sign anyone out.
  if (req.method === 'GET') setCookie({ ctx, res }, sessionCookie, secret)
  return { secret, session: undefined }
}

/** What a form carries to prove that it stood on a page of ours, in this browser, with this action and these fields. */
export function formToken({ secret }: Visit, action: string, values: HiddenFields): string {
  const proof = createHmac('sha256', secret).update(JSON.stringify([action, values]))
  return [proof.digest('base64url'), ...Object.keys(values)].join('.')
}

/** Refuses a form that another site has sent, or that was made for another browser, action or thing. */
export function requireOwnForm(config: Config, req: Request, visit: Visit, form: Form): void {
  const token = form.one('csrf')
  const [, ...names] = token.split('.')
  const values = Object.fromEntries(names.map((name) => [name, form.one(name)]))
  const isOwn =
    req.headers['sec-fetch-site'] !== 'cross-site' &&
    isOwnOrigin(config, req) &&
    equalSecrets(token, formToken(visit, req.path, values))
  if (!isOwn) {
    fail(403, 'This form has expired, or another site sent it. Open the page again.')
  }
}

/** Browsers name no origin in forms of pages with Referrer-Policy no-referrer, as ours: `null`. */
function isOwnOrigin({ authUrl }: Config, { headers: { origin, host } }: Request): boolean {
  if (origin === undefined || origin === 'null' || origin === authUrl) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
