import type { Request } from 'express'
import { rawQuery } from '../../http/body.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { isAdmin } from '../../platform/bearer.ts'
import { displayNameOf } from '../../platform/serialize/user.ts'
import { pathOf, type Site, type SiteOf, type Viewer } from '../ui/site.ts'
import { signInPath } from './return-to.ts'
import { findVisit, formToken, type Visit } from './session.ts'

type Page = Pick<Request, 'headers' | 'originalUrl'>

/** Creates the `Site` of a request. Signing in returns to `back`. */
export const createSite = (
  { config }: Pick<OAuthContext, 'config'>,
  req: Page,
  visit: Visit | undefined,
  back = '/sign-in',
): Site => ({
  served: config.services,
  path: pathOf(req),
  signInPath: back === '/sign-in' ? back : signInPath(back),
  viewer: visit && viewerOf(visit),
  done: new URLSearchParams(rawQuery(req)).get('done') ?? undefined,
  formToken: (action, values) => (visit ? formToken(visit, action, values) : ''),
})

function viewerOf({ session }: Pick<Visit, 'session'>): Viewer | undefined {
  if (!session) return undefined
  const { user } = session
  return { name: displayNameOf(user), email: user.email, isAdmin: isAdmin(user) }
}

export const siteFinder =
  (ctx: OAuthContext): SiteOf =>
  async (req, back) => {
    const visit = ctx.config.services.has('oauth') ? await tryToFindVisit(ctx, req) : undefined
    return createSite(ctx, req, visit, back)
  }

/** Returns undefined on an error: pages that need no database must not fail because of their header. */
async function tryToFindVisit(ctx: OAuthContext, req: Page): Promise<Visit | undefined> {
  try {
    return await findVisit({ ctx, req })
  } catch (err) {
    ctx.log.warn({ err }, 'could not look up who is signed in for the header of a page')
    return undefined
  }
}
