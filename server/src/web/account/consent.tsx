import { fail } from '../../errors/failure.ts'
import type { Consent } from '../../oauth/authorize.ts'
import { isLoopback } from '../../oauth/client-documents.ts'
import { isUnverified } from '../../oauth/clients.ts'
import { decideConsent } from '../../oauth/consent.ts'
import { AppHeader, SignedInAs } from '../ui/account.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { DecisionForm } from '../ui/scopes.tsx'
import { readDecision } from './form.ts'
import { type PageRoutes, redirect, signedIn } from './page.ts'
import { signInPath } from './return-to.ts'

export const consentPages: PageRoutes = {
  '/oauth/consent': {
    get: async () =>
      fail(403, 'You can’t open this page directly. Go back to the app and start again.'),
    post: signedIn(async ({ ctx, session, form }) => {
      const allow = readDecision(form)
      const decision = { request: form.one('request'), allow, ticked: form.all('scope') }
      return redirect(await decideConsent(ctx, session, decision))
    }),
  },
}

/** The page where a person allows or denies an app; `path` is that of the authorization request. */
export function consentPage(consent: Consent, path: string) {
  const { client, user, request, redirectUri } = consent
  const known = client.document ? client.clientId : redirectUri
  const name = (
    <span dir="auto">{isUnverified(client) ? new URL(known).host : client.app.name}</span>
  )
  return (
    <AccountPage title="Allow an app" class="sheet">
      <AppHeader client={client} title={<>Allow {name} to use your account?</>} />
      {isUnverified(client) && <Unverified {...consent} />}
      <SignedInAs email={user.email} switchPath={signInPath(path)} />
      <DecisionForm action="/oauth/consent" values={{ request }} asked={consent} />
      <p class="after">
        Either way, you will continue to <strong>{destination(redirectUri)}</strong>. You can remove
        the app at any time under <a href="/my/apps">Your apps</a>.
      </p>
    </AccountPage>
  )
}

/** Marks the name of a client that nobody registered as a claim. */
function Unverified({ client: { app, clientId, document }, redirectUri }: Consent) {
  const name = document ? document.name : app.name
  return (
    <section class="aside" aria-labelledby="unverified">
      <h2 id="unverified">Unverified</h2>
      <p>
        {name && (
          <>
            It calls itself <strong dir="auto">{name}</strong>.{' '}
          </>
        )}
        Only its address is known: <span class="mono">{document ? clientId : redirectUri}</span>
      </p>
      <p>
        Nobody has checked who makes this app.{' '}
        {isLoopback(redirectUri) && (
          <strong>
            Access goes to a program on this device, and any program can pretend to be this app.
          </strong>
        )}{' '}
        Choose Deny unless you have just started this yourself.
      </p>
    </section>
  )
}

/** Names the redirect target: its host, or for a private-use scheme the app on this device. */
function destination(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb ? host : `the app on this device for ${protocol}`
}
