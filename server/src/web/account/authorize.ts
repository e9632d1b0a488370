import { oauthContract } from '@skillpass/contract'
import type { RequestHandler, Response } from 'express'
import type { JSX } from 'preact'
import { rawQuery } from '../../http/body.ts'
import { noteApp, noteFault } from '../../http/call-log.ts'
import { route } from '../../http/handlers.ts'
import { authorize } from '../../oauth/authorize.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { renderPage } from '../ui/layout.tsx'
import { consentPage, consentRefusalPage } from './consent.tsx'
import { accountHeaders, requireOwnHost } from './page.ts'
import { refusalPage } from './refusal.tsx'
import { asciiPath, signInPath } from './return-to.ts'
import { createSite, readVisit } from './session.ts'

/** `GET /oauth/authorize`: shows the consent page, or redirects to sign-in or back to the app. */
export const authorizeRoute = (ctx: Context) =>
  route(oauthContract.authorize, {
    middleware: [requireOwnHost(ctx.config), emptyQuery],
    handler: async ({ req, res }) => {
      res.set(accountHeaders())
      const visit = await readVisit(ctx, req, res)
      const render = (page: JSX.Element) => renderPage(page, createSite(ctx, req, visit))
      const path = req.originalUrl
      const outcome = await authorize(forRequest(ctx, req), rawQuery(req), visit.session)
      if ('fault' in outcome && outcome.fault) {
        const { appId, error } = outcome.fault
        noteApp(req, { appId })
        noteFault(req, String(error.code), error.message)
      }
      switch (outcome.kind) {
        case 'redirect':
          return found(res, outcome.location)
        case 'refused':
          return { status: 400, body: render(refusalPage(outcome.refusal)) }
        case 'sign-in':
          return found(res, signInPath(path))
        case 'not-allowed': {
          res.set(accountHeaders(outcome.back))
          const page = consentRefusalPage({ ...outcome, returnTo: asciiPath(path) })
          return { status: 403, body: render(page) }
        }
        case 'consent':
          res.set(accountHeaders(outcome.consent.redirectUri))
          return { status: 200, body: render(consentPage(outcome.consent, path)) }
      }
    },
  })

/** Empties the parsed query: the operation parses the raw query itself and reports its errors. */
const emptyQuery: RequestHandler = (req, _res, next) => {
  Object.defineProperty(req, 'query', { value: {} })
  next()
}

function found(res: Response, location: string) {
  res.setHeader('Location', location)
  return { status: 302 as const, body: undefined }
}
