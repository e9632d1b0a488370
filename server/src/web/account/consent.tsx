import type { Consent } from '../../oauth/authorize.ts'
import { decideConsent } from '../../oauth/consent.ts'
import { DecidingAs, Maker, PostForm } from '../ui/account.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { AskedScopes, Decide } from '../ui/scopes.tsx'
import { readDecision } from './form.ts'
import { signedInForm } from './handlers.ts'
import { goOn, type PageRoute } from './page.ts'
import { signInPath } from './return-to.ts'
import { formToken, type SignedInVisit } from './session.ts'

/** For what the form of a consent page is good: the one request that it shows. */
export const consentPurpose = (request: string): string => `consent ${request}`

/** What a user decides on the consent page; the authorize endpoint shows it. */
export const consentPages: PageRoute[] = [
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

/** The page where a person allows an app or not; `path` is where the app has sent the person. */
export function consentPage(visit: SignedInVisit, consent: Consent, path: string) {
  const { client, request, redirectUri, required, optional } = consent
  const { app, environment } = client
  return (
    <AccountPage title="Allow an app" class="sheet">
      <header>
        <h1>
          Allow <span dir="auto">{app.name}</span> to use your account?
        </h1>
        <Maker app={app} isDevelopment={environment === 'development'} />
      </header>
      <DecidingAs email={visit.session.user.email} switchPath={signInPath(path)} />
      <PostForm
        action="/oauth/consent"
        token={formToken(visit, consentPurpose(request))}
        values={{ request }}
        class="stack"
      >
        <AskedScopes required={required} optional={optional} />
        <Decide />
      </PostForm>
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
