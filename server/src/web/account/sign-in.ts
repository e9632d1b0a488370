import { rawQuery } from '../../http/body.ts'
import { clientAddress } from '../../limits/client-address.ts'
import { authorize } from '../../oauth/authorize.ts'
import { createSession, endSession, signIn } from '../../platform/sign-in.ts'
import { renderSignInPage, type SignInPageData } from '../pages/sign-in.tsx'
import { findViewer, ownForm } from './handlers.ts'
import { type AccountPage, type Exchange, goOn, setAccountHeaders, show } from './page.ts'
import { readReturnTo, returnToOf } from './return-to.ts'
import {
  clearSession,
  formToken,
  readKnownBrowser,
  readVisit,
  setKnownBrowser,
  setSession,
  type Visit,
} from './session.ts'

/** Signing in and out. */
export const signInPages: AccountPage[] = [
  {
    path: '/sign-in',
    get: async (exchange) => {
      const visit = await readVisit(exchange)
      return show(
        await signInPage(exchange, visit, { returnTo: returnToOf(rawQuery(exchange.req)) }),
      )
    },
    post: ownForm('sign-in', async ({ visit, form, ...exchange }) => {
      const { ctx, req, res } = exchange
      const returnTo = readReturnTo(form.one('return_to'))
      const credentials = { email: form.one('email'), password: form.one('password') }
      const outcome = await signIn(ctx, credentials, clientAddress(req), readKnownBrowser(exchange))
      if ('user' in outcome) {
        if (visit.session) await endSession(ctx, visit.session.key)
        setSession(exchange, await createSession(ctx, outcome.user))
        setKnownBrowser(exchange, outcome.browser)
        return goOn(returnTo)
      }
      const { message: refusal, retryAfter } = outcome
      if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
      const { email } = credentials
      const page = await signInPage(exchange, visit, { returnTo, email, refusal })
      return show(page, retryAfter === undefined ? 400 : 429)
    }),
  },
  {
    path: '/sign-out',
    post: ownForm('sign-out', async ({ visit, ...exchange }) => {
      if (visit.session) await endSession(exchange.ctx, visit.session.key)
      clearSession(exchange)
      return goOn('/sign-in')
    }),
  },
]

type Shown = Pick<SignInPageData, 'returnTo' | 'email' | 'refusal'>

/** Names the app that a person is on the way to, and lets the way lead on to it. */
async function signInPage({ ctx, res }: Exchange, visit: Visit, shown: Shown): Promise<string> {
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
