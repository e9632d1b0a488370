import type { Request } from 'express'
import type { OAuthContext } from '../../oauth/context.ts'
import { pathOf, type SiteOf, type Viewer } from '../ui/site.ts'
import { findViewer } from './handlers.ts'
import { signInPath } from './return-to.ts'
import { findVisit } from './session.ts'

/** Tells of a request what stands around its page: the services of this process and who visits. */
export const siteFinder =
  (ctx: OAuthContext): SiteOf =>
  async (req, back = '/sign-in') => {
    const { services: served } = ctx.config
    return {
      served,
      path: pathOf(req),
      signInPath: back === '/sign-in' ? back : signInPath(back),
      viewer: served.has('oauth') ? await viewerOf(ctx, req) : undefined,
    }
  }

/** Who is signed in. A page that can be made without the database must not fail for its header. */
async function viewerOf(
  ctx: OAuthContext,
  req: Pick<Request, 'headers'>,
): Promise<Viewer | undefined> {
  try {
    const visit = await findVisit({ ctx, req })
    return visit && findViewer(visit)
  } catch (err) {
    ctx.log.warn({ err }, 'the header of a page cannot tell who is signed in')
    return undefined
  }
}
