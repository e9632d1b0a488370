import type { Request, RequestHandler, Response } from 'express'
import { fail } from '../../errors/failure.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { type Form, formOf } from './form.ts'
import { seeOther } from './page.ts'
import { signInPath } from './return-to.ts'
import { isSignedIn, readVisit, requireOwnForm, type SignedInVisit } from './session.ts'

/** A request of somebody who is signed in. */
export interface SignedInRequest {
  readonly req: Request
  readonly res: Response
  readonly visit: SignedInVisit
}

/** Handles a page that needs a user: who is not signed in does that first, and comes back. */
export function signedInPage(
  ctx: OAuthContext,
  show: (exchange: SignedInRequest) => Promise<void>,
): RequestHandler {
  return async (req, res) => {
    const visit = await readVisit(ctx, req, res)
    if (isSignedIn(visit)) await show({ req, res, visit })
    else seeOther(res, signInPath(req.originalUrl))
  }
}

/** Handles a form that needs a user; `purposeOf` says for what its token must have been made. */
export function signedInForm(
  ctx: OAuthContext,
  purposeOf: (form: Form, req: Request) => string,
  act: (exchange: SignedInRequest & { readonly form: Form }) => Promise<void>,
): RequestHandler {
  return async (req, res) => {
    const visit = await readVisit(ctx, req, res)
    const form = formOf(req)
    requireOwnForm(ctx, req, visit, { purpose: purposeOf(form, req), token: form.one('csrf') })
    if (!isSignedIn(visit)) fail(403, 'You are signed out by now. Open the page again.')
    await act({ req, res, visit, form })
  }
}
