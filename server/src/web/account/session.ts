import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'
import { browserLifetime, findBrowserAgent, type KeyHolder } from '../../agents/browsers.ts'
import { rawQuery } from '../../http/body.ts'
import { isAdmin } from '../../people/bearer.ts'
import { displayNameOf } from '../../people/serialize.ts'
import { findSession, knownBrowserLifetime, sessionLifetime } from '../../people/sign-in.ts'
import type { Context } from '../../runtime/context.ts'
import { randomBase62 } from '../../secrets/secrets.ts'
import { type HiddenFields, pathOf, type Site, type SiteOf } from '../ui/site.ts'
import { returningTo } from './return-to.ts'

export interface Visit {
  /** Values of the session cookies; form tokens are derived from them. */
  readonly secret: string
  readonly session: Awaited<ReturnType<typeof findSession>>
  /** The agent that is signed in to the browser, beside or without a user. */
  readonly agent?: KeyHolder | undefined
}

export const sessionCookie = {
  /** Name over http, where browsers refuse the `__Host-` prefix. */
  plain: 'skillpass_session',
  prefixed: '__Host-skillpass',
  form: /^\w{43,100}$/,
  /** Milliseconds. */
  lifetime: sessionLifetime,
}

export type Cookie = typeof sessionCookie

/** The session of an agent. */
export const agentCookie: Cookie = {
  plain: 'skillpass_agent',
  prefixed: '__Host-skillpass-agent',
  form: /^\w{43,100}$/,
  lifetime: browserLifetime,
}

/** Identifies a browser that has signed in before. */
export const browserCookie: Cookie = {
  plain: 'skillpass_browser',
  prefixed: '__Host-skillpass-browser',
  form: /^[\w.:~-]{1,1000}$/,
  lifetime: knownBrowserLifetime,
}

const isSecure = ({ config }: Context) => config.authUrl.startsWith('https:')

/** Over https, the prefix prevents sibling hosts and plain http from setting the cookie. */
const nameOf = (ctx: Context, { plain, prefixed }: Cookie) => (isSecure(ctx) ? prefixed : plain)

type VisitRequest = Pick<Request, 'headers' | 'originalUrl'>

/** Returns the value of a cookie, or '' if it is absent or malformed. */
export function readCookie(ctx: Context, { headers }: VisitRequest, cookie: Cookie): string {
  const value = parseCookie(headers.cookie ?? '')[nameOf(ctx, cookie)] ?? ''
  return cookie.form.test(value) ? value : ''
}

/** Sets a cookie; an empty value deletes it. The prefix `__Host-` requires the path `/`. */
export function setCookie(
  ctx: Context,
  res: Response,
  cookie: Cookie,
  value: string,
  path = '/',
): void {
  const header = stringifySetCookie(nameOf(ctx, cookie), value, {
    httpOnly: true,
    maxAge: value === '' ? 0 : cookie.lifetime / 1000,
    path,
    sameSite: 'lax',
    secure: isSecure(ctx),
  })
  res.append('Set-Cookie', header)
}

/** Finds the visit of a request; undefined without a session cookie. Sets no cookie. */
async function findVisit(ctx: Context, req: VisitRequest): Promise<Visit | undefined> {
  const [user, agent] = [readCookie(ctx, req, sessionCookie), readCookie(ctx, req, agentCookie)]
  if (user === '' && agent === '') return undefined
  return {
    secret: user + agent,
    session: await findSession(ctx, user),
    agent: await findBrowserAgent(ctx, agent),
  }
}

/**
 * Finds the visit of a request. A browser without a cookie gets a random one without a session,
 * which protects the sign-in form from forgery. Signing in replaces it.
 */
export async function readVisit(ctx: Context, req: Request, res: Response): Promise<Visit> {
  const known = await findVisit(ctx, req)
  if (known) return known
  const secret = randomBase62(ctx.random, 43)
  // A cross-site POST arrives without the cookie. A new cookie would sign the user out.
  if (req.method === 'GET') setCookie(ctx, res, sessionCookie, secret)
  return { secret, session: undefined }
}

/**
 * Creates a form's CSRF token, an HMAC over its action and hidden fields under the visit's secret.
 */
export function formToken({ secret }: Visit, action: string, values: HiddenFields): string {
  const proof = createHmac('sha256', secret).update(JSON.stringify([action, values]))
  return [proof.digest('base64url'), ...Object.keys(values)].join('.')
}

/** Creates the `Site` of a request. Signing in returns to `back`. */
export function createSite(
  { config }: Context,
  req: VisitRequest,
  visit: Visit | undefined,
  given?: string,
): Site {
  const user = visit?.session?.user
  const signIn = config.services.has('oauth') ? '/sign-in' : '/agents/me/sign-in'
  const back = given ?? signIn
  return {
    served: config.services,
    operator: config.operator,
    path: pathOf(req),
    signInPath: back === signIn ? back : returningTo(signIn, back),
    agent: visit?.agent?.username,
    viewer: user && { name: displayNameOf(user), email: user.email, isAdmin: isAdmin(user) },
    done: new URLSearchParams(rawQuery(req)).get('done') ?? undefined,
    formToken: (action, values) => (visit ? formToken(visit, action, values) : ''),
  }
}

export const siteFinder =
  (ctx: Context): SiteOf =>
  async (req, back) => {
    // Pages that need no database must not fail because of their header.
    const ignore = (err: unknown) => {
      ctx.log.warn({ err }, 'could not look up who is signed in for the header of a page')
      return undefined
    }
    const visit = await findVisit(ctx, req).catch(ignore)
    return createSite(ctx, req, visit, back)
  }
