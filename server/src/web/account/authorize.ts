import { oauthContract } from '@skillpass/contract'
import type { RequestHandler, Response } from 'express'
import { rawQuery } from '../../http/body.ts'
import { route } from '../../http/handlers.ts'
import { type Authorization, authorize } from '../../oauth/authorize.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { renderConsentPage } from '../pages/consent.tsx'
import { approvalPurpose } from './approvals.ts'
import { consentPurpose } from './consent.ts'
import { renderConsentRefusalPage } from './consent-refusal.tsx'
import { findViewer, viewerOf } from './handlers.ts'
import { setAccountHeaders } from './page.ts'
import { renderRefusalPage } from './refusal.tsx'
import { asciiPath, signInPath } from './return-to.ts'
import { formToken, isSignedIn, readVisit, type Visit } from './session.ts'

/** `GET /oauth/authorize`: the consent page, or the way there and back. */
export const authorizeRoute = (ctx: OAuthContext) =>
  route(oauthContract.authorize, {
    middleware: [leaveQueryToOperation],
    handler: async ({ req, res }) => {
      setAccountHeaders(res)
      const visit = await readVisit({ ctx, req, res })
      const outcome = await authorize(ctx, rawQuery(req), visit.session)
      return answer(res, outcome, visit, req.originalUrl)
    },
  })

/** The operation reads the query as it came, and tells what is wrong with it where it is due. */
const leaveQueryToOperation: RequestHandler = (req, _res, next) => {
  Object.defineProperty(req, 'query', { value: {} })
  next()
}

/** The page, or the way on, for what became of an authorization request. */
function answer(res: Response, outcome: Authorization, visit: Visit, path: string) {
  if (outcome.kind === 'redirect') return found(res, outcome.location)
  if (outcome.kind === 'refused') {
    return { status: 400 as const, body: renderRefusalPage(outcome.refusal, findViewer(visit)) }
  }
  if (outcome.kind === 'sign-in' || !isSignedIn(visit)) return found(res, signInPath(path))
  const page = { viewer: viewerOf(visit), switchPath: signInPath(path) }
  if (outcome.kind === 'not-allowed') {
    const token = formToken(visit, approvalPurpose(outcome.client.app.id))
    setAccountHeaders(res, outcome.back)
    return {
      status: 403 as const,
      body: renderConsentRefusalPage({ ...outcome, ...page, token, returnTo: asciiPath(path) }),
    }
  }
  const { consent } = outcome
  const token = formToken(visit, consentPurpose(consent.request))
  setAccountHeaders(res, consent.redirectUri)
  return { status: 200 as const, body: renderConsentPage({ ...page, consent, token }) }
}

function found(res: Response, location: string) {
  res.setHeader('Location', location)
  return { status: 302 as const, body: undefined }
}
