import type { Consent } from '../../oauth/authorize.ts'
import { decideConsent } from '../../oauth/consent.ts'
import { AppHeader, DecidingAs } from '../ui/account.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { DecisionForm } from '../ui/scopes.tsx'
import { readDecision } from './form.ts'
import { goOn, type PageRoute, signedIn } from './page.ts'
import { signInPath } from './return-to.ts'

export const consentPages: PageRoute[] = [
  {
    path: '/oauth/consent',
    closed: 'Only the buttons of the consent page decide. Go back to the app.',
    post: signedIn(async ({ ctx, session, form }) => {
      const allow = readDecision(form)
      const decision = { request: form.one('request'), allow, ticked: form.all('scope') }
      return goOn(await decideConsent(ctx, session, decision))
    }),
  },
]

/** The page where a person allows an app or not; `path` is where the app has sent the person. */
export function consentPage(consent: Consent, path: string) {
  const { client, user, request, redirectUri } = consent
  const title = (
    <>
      Allow <span dir="auto">{client.app.name}</span> to use your account?
    </>
  )
  return (
    <AccountPage title="Allow an app" class="sheet">
      <AppHeader client={client} title={title} />
      <DecidingAs email={user.email} switchPath={signInPath(path)} />
      <DecisionForm action="/oauth/consent" values={{ request }} asked={consent} />
      <p class="after">
        Either way you will continue to <strong>{destination(redirectUri)}</strong>. You can remove
        the app at any time under <a href="/my/apps">Your apps</a>.
      </p>
    </AccountPage>
  )
}

/** Where the browser goes: the host; of a private address the app that has its scheme. */
function destination(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb ? host : `the app on this device for ${protocol}`
}
