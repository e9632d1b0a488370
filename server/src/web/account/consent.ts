import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import { fail } from '../../errors/failure.ts'
import { decideConsent } from '../../oauth/consent.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { type Form, readDecision } from './form.ts'
import { signedInForm } from './handlers.ts'
import { seeOther } from './page.ts'

/** For what the form of a consent page is good: the one request that it shows. */
export const consentPurpose = (request: string): string => `consent ${request}`

/** What a user decides on the consent page; the authorize endpoint shows it. */
export function consentRoutes(ctx: OAuthContext): Router {
  const router = Router()
  const purpose = (form: Form) => consentPurpose(form.one('request'))

  router.post(
    '/oauth/consent',
    signedInForm(ctx, purpose, async ({ req, res, visit, form }) => {
      const allow = readDecision(form)
      const decision = { request: form.one('request'), allow, ticked: form.all('scope') }
      seeOther(res, await decideConsent(from(ctx, req), visit.session, decision))
    }),
  )

  router.get('/oauth/consent', () => {
    fail(403, 'Only the buttons of the consent page decide. Go back to the app.')
  })

  return router
}
