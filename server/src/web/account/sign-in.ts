import { type Response, Router } from 'express'
import { from } from '../../audit/origin.ts'
import { rawQuery } from '../../http/body.ts'
import { clientAddress } from '../../limits/client-address.ts'
import { authorize } from '../../oauth/authorize.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { createSession, endSession, signIn } from '../../platform/sign-in.ts'
import { renderSignInPage, type SignInPageData } from '../pages/sign-in.tsx'
import { formOf } from './form.ts'
import { findViewer, seeOther, sendPage, setAccountHeaders } from './page.ts'
import { readReturnTo, returnToOf } from './return-to.ts'
import {
  clearSessionCookie,
  formToken,
  readBrowserCookie,
  readVisit,
  requireOwnForm,
  setBrowserCookie,
  setSessionCookie,
  type Visit,
} from './session.ts'

/** Signing in and out. */
export function signInRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get('/sign-in', async (req, res) => {
    const visit = await readVisit(ctx, req, res)
    sendPage(res, await signInPage(ctx, res, visit, { returnTo: returnToOf(rawQuery(req)) }))
  })

  router.post('/sign-in', async (req, res) => {
    const visit = await readVisit(ctx, req, res)
    const form = formOf(req)
    requireOwnForm(ctx, req, visit, { purpose: 'sign-in', token: form.one('csrf') })
    const returnTo = readReturnTo(form.one('return_to'))
    const credentials = { email: form.one('email'), password: form.one('password') }
    const browser = readBrowserCookie(ctx, req)
    const outcome = await signIn(ctx, credentials, clientAddress(req), browser)
    if ('user' in outcome) {
      if (visit.session) await endSession(ctx, visit.session.key)
      setSessionCookie(ctx, res, await createSession(from(ctx, req), outcome.user))
      setBrowserCookie(ctx, res, outcome.browser)
      seeOther(res, returnTo)
      return
    }
    const { message: refusal, retryAfter } = outcome
    if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
    const { email } = credentials
    const page = await signInPage(ctx, res, visit, { returnTo, email, refusal })
    sendPage(res, page, retryAfter === undefined ? 400 : 429)
  })

  router.post('/sign-out', async (req, res) => {
    const visit = await readVisit(ctx, req, res)
    requireOwnForm(ctx, req, visit, { purpose: 'sign-out', token: formOf(req).one('csrf') })
    if (visit.session) await endSession(ctx, visit.session.key)
    clearSessionCookie(ctx, res)
    seeOther(res, '/sign-in')
  })

  return router
}

type Shown = Pick<SignInPageData, 'returnTo' | 'email' | 'refusal'>

/** Names the app that a person is on the way to, and lets the way lead on to it. */
async function signInPage(ctx: OAuthContext, res: Response, visit: Visit, shown: Shown) {
  const [path, query = ''] = shown.returnTo.split(/\?(.*)/s)
  const ahead = path === '/oauth/authorize' ? await authorize(ctx, query, undefined) : undefined
  const isToApp = ahead?.kind === 'sign-in'
  // Once signed in, the authorize endpoint may send the browser to the app at once, with an error.
  if (isToApp) setAccountHeaders(res, ahead.redirectUri)
  return renderSignInPage({
    ...shown,
    token: formToken(visit, 'sign-in'),
    viewer: findViewer(visit),
    app: isToApp ? ahead.client.app : undefined,
  })
}
