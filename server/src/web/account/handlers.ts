import { fail } from '../../errors/failure.ts'
import { isAdmin } from '../../platform/roles.ts'
import { displayNameOf } from '../../platform/serialize/user.ts'
import type { Viewer } from '../ui/site.ts'
import { type Form, formOf } from './form.ts'
import { type Answer, type Exchange, goOn } from './page.ts'
import { signInPath } from './return-to.ts'
import {
  formToken,
  isSignedIn,
  readVisit,
  requireOwnForm,
  type SignedInVisit,
  type Visit,
} from './session.ts'

/** A request of a browser that is known by its cookie. */
export interface VisitedExchange extends Exchange {
  readonly visit: Visit
}

/** A request of somebody who is signed in. */
export interface SignedInExchange extends Exchange {
  readonly visit: SignedInVisit
}

/** A request with the form that was sent. */
export type WithForm<E> = E & { readonly form: Form }

/** For what the token of a form must have been made: always the same, or what its fields say. */
export type Purpose = string | ((form: Form) => string)

/** Handles a page that needs a user: who is not signed in does that first, and comes back. */
export const signedInPage =
  (view: (exchange: SignedInExchange) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    const visit = await readVisit(exchange)
    return isSignedIn(visit)
      ? view({ ...exchange, visit })
      : goOn(signInPath(exchange.req.originalUrl))
  }

/** Handles a form of a page of ours, whoever sends it. */
export const ownForm =
  (purpose: Purpose, act: (exchange: WithForm<VisitedExchange>) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    const visit = await readVisit(exchange)
    const form = formOf(exchange.req)
    requireOwnForm(exchange, visit, {
      purpose: typeof purpose === 'string' ? purpose : purpose(form),
      token: form.one('csrf'),
    })
    return act({ ...exchange, visit, form })
  }

/** Handles a form that needs a user. */
export const signedInForm = (
  purpose: Purpose,
  act: (exchange: WithForm<SignedInExchange>) => Promise<Answer>,
) =>
  ownForm(purpose, async ({ visit, ...exchange }) => {
    if (!isSignedIn(visit)) fail(403, 'You have been signed out. Open the page again to sign in.')
    return act({ ...exchange, visit })
  })

/** Who is signed in, as the header of a page shows it. */
export const viewerOf = (visit: SignedInVisit): Viewer => ({
  name: displayNameOf(visit.session.user),
  email: visit.session.user.email,
  isAdmin: isAdmin(visit.session.user),
  signOutToken: formToken(visit, 'sign-out'),
})

/** Who is signed in, where somebody is. */
export const findViewer = (visit: Visit): Viewer | undefined =>
  isSignedIn(visit) ? viewerOf(visit) : undefined
