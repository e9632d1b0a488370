import { oauthContract } from '@skillpass/contract'
import type { Request } from 'express'
import type { OAuthContext } from '../../oauth/context.ts'
import type { SiteOf, Viewer } from '../ui/site.ts'
import { findViewer } from './handlers.ts'
import { signInPath } from './return-to.ts'
import { findVisit } from './session.ts'

/** Who signs in comes back to no page of signing in, and to no refused request: it may hold a secret. */
const noReturn = new Set(['/sign-in', oauthContract.authorize.path])

/** Tells of a request what stands around its page: the services of this process and who visits. */
export const siteFinder =
  (ctx: OAuthContext): SiteOf =>
  async (req) => {
    const { services: served } = ctx.config
    const { originalUrl, method } = req
    const [path = '/'] = originalUrl.split('?')
    const canComeBack = !noReturn.has(path) && (method === 'GET' || method === 'HEAD')
    return {
      served,
      path,
      signInPath: canComeBack ? signInPath(originalUrl) : '/sign-in',
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
