import { decideConsent } from '../../oauth/consent.ts'
import { readDecision } from './form.ts'
import { signedInForm } from './handlers.ts'
import { type AccountPage, goOn } from './page.ts'

/** For what the form of a consent page is good: the one request that it shows. */
export const consentPurpose = (request: string): string => `consent ${request}`

/** What a user decides on the consent page; the authorize endpoint shows it. */
export const consentPages: AccountPage[] = [
  {
    path: '/oauth/consent',
    closed: 'Only the buttons of the consent page decide. Go back to the app.',
    post: signedInForm(
      (form) => consentPurpose(form.one('request')),
      async ({ ctx, visit, form }) => {
        const allow = readDecision(form)
        const decision = { request: form.one('request'), allow, ticked: form.all('scope') }
        return goOn(await decideConsent(ctx, visit.session, decision))
      },
    ),
  },
]
