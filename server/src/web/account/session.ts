import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import type { Config } from '../../config/config.ts'
import { fail } from '../../errors/failure.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import {
  findSession,
  knownBrowserLifetime,
  type Session,
  sessionLifetime,
} from '../../platform/sign-in.ts'
import { equalSecrets, randomBase62 } from '../../secrets/secrets.ts'
import type { HiddenFields } from '../ui/site.ts'
import type { Form } from './form.ts'

export interface Visit {
  /** Value of the session cookie; form tokens are derived from it. */
  readonly secret: string
  readonly session: Session | undefined
}

interface Cookie {
  /** Name over http, where browsers refuse the `__Host-` prefix. */
  readonly plain: string
  readonly prefixed: string
  readonly form: RegExp
  /** Milliseconds. */
  readonly lifetime: number
}

export const sessionCookie: Cookie = {
  plain: 'skillpass_session',
  prefixed: '__Host-skillpass',
  form: /^\w{43,100}$/,
  lifetime: sessionLifetime,
}

/** Identifies a browser that has signed in before. */
export const browserCookie: Cookie = {
  plain: 'skillpass_browser',
  prefixed: '__Host-skillpass-browser',
  form: /^[\w.:~-]{1,1000}$/,
  lifetime: knownBrowserLifetime,
}

const isSecure = ({ authUrl }: Config) => authUrl.startsWith('https:')

/** Over https, the prefix prevents sibling hosts and plain http from setting the cookie. */
const nameOf = (config: Config, { plain, prefixed }: Cookie) =>
  isSecure(config) ? prefixed : plain

interface CookieHolder {
  readonly ctx: OAuthContext
  readonly req: Pick<Request, 'headers'>
}

/** Returns the value of a cookie, or '' if it is absent or malformed. */
export function readCookie({ ctx, req }: CookieHolder, cookie: Cookie): string {
  const value = parseCookie(req.headers.cookie ?? '')[nameOf(ctx.config, cookie)] ?? ''
  return cookie.form.test(value) ? value : ''
}

/** Sets a cookie; an empty value deletes it. */
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

/** Finds the visit of a request; undefined without a session cookie. Sets no cookie. */
export async function findVisit(exchange: CookieHolder): Promise<Visit | undefined> {
  const secret = readCookie(exchange, sessionCookie)
  return secret === '' ? undefined : { secret, session: await findSession(exchange.ctx, secret) }
}

/**
 * Finds the visit of a request. A browser without a cookie gets a random one without a session, which
 * protects the sign-in form from forgery. Signing in replaces it.
 */
export async function readVisit(ctx: OAuthContext, req: Request, res: Response): Promise<Visit> {
  const known = await findVisit({ ctx, req })
  if (known) return known
  const secret = randomBase62(ctx.random, 43)
  // A cross-site POST arrives without the cookie. A new cookie would sign the user out.
  if (req.method === 'GET') setCookie({ ctx, res }, sessionCookie, secret)
  return { secret, session: undefined }
}

/** Creates a form's CSRF token, an HMAC over its action and hidden fields under the visit's secret. */
export function formToken({ secret }: Visit, action: string, values: HiddenFields): string {
  const proof = createHmac('sha256', secret).update(JSON.stringify([action, values]))
  return [proof.digest('base64url'), ...Object.keys(values)].join('.')
}

/** Throws 403 for a form of another site, or with a token for another browser, action or fields. */
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

/** Accepts `null` too: browsers send it from pages with `Referrer-Policy: no-referrer`, such as ours. */
function isOwnOrigin({ authUrl }: Config, { headers: { origin, host } }: Request): boolean {
  if (origin === undefined || origin === 'null' || origin === authUrl) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
