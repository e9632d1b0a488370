import { oauthContract } from '@skillpass/contract'
import type { Request, RequestHandler, Response } from 'express'
import type { JSX } from 'preact'
import { from } from '../../audit/origin.ts'
import { rawQuery } from '../../http/body.ts'
import { route } from '../../http/handlers.ts'
import { type Authorization, authorize } from '../../oauth/authorize.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { renderPage } from '../ui/layout.tsx'
import type { SiteOf } from '../ui/site.ts'
import { consentPage } from './consent.tsx'
import { consentRefusalPage } from './consent-refusal.tsx'
import { requireOwnHost } from './host.ts'
import { setAccountHeaders } from './page.ts'
import { refusalPage } from './refusal.tsx'
import { asciiPath, signInPath } from './return-to.ts'
import { isSignedIn, readVisit, type Visit } from './session.ts'

/** `GET /oauth/authorize`: the consent page, or the way there and back. */
export const authorizeRoute = (ctx: OAuthContext, siteOf: SiteOf) =>
  route(oauthContract.authorize, {
    middleware: [requireOwnHost(ctx.config), leaveQueryToOperation],
    handler: async ({ req, res }) => {
      setAccountHeaders(res)
      const visit = await readVisit({ ctx, req, res })
      const outcome = await authorize(from(ctx, req), rawQuery(req), visit.session)
      return answer({ req, res }, outcome, visit, siteOf)
    },
  })

/** The operation reads the query as it came, and tells what is wrong with it where it is due. */
const leaveQueryToOperation: RequestHandler = (req, _res, next) => {
  Object.defineProperty(req, 'query', { value: {} })
  next()
}

/** The page, or the way on, for what became of an authorization request. */
async function answer(
  { req, res }: { req: Request; res: Response },
  outcome: Authorization,
  visit: Visit,
  siteOf: SiteOf,
) {
  const path = req.originalUrl
  const render = async (page: JSX.Element) => renderPage(page, await siteOf(req))
  if (outcome.kind === 'redirect') return found(res, outcome.location)
  if (outcome.kind === 'refused') {
    return { status: 400 as const, body: await render(refusalPage(outcome.refusal)) }
  }
  if (outcome.kind === 'sign-in' || !isSignedIn(visit)) return found(res, signInPath(path))
  if (outcome.kind === 'not-allowed') {
    setAccountHeaders(res, outcome.back)
    const page = consentRefusalPage(visit, { ...outcome, returnTo: asciiPath(path) })
    return { status: 403 as const, body: await render(page) }
  }
  setAccountHeaders(res, outcome.consent.redirectUri)
  return { status: 200 as const, body: await render(consentPage(visit, outcome.consent, path)) }
}

function found(res: Response, location: string) {
  res.setHeader('Location', location)
  return { status: 302 as const, body: undefined }
}
