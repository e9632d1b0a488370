import type { Consent } from '../../oauth/authorize.ts'
import { DecidingAs, Maker, PostForm, type Viewer } from '../ui/account.tsx'
import { AccountPage, renderPage } from '../ui/layout.tsx'
import { AskedScopes, Decide } from '../ui/scopes.tsx'

export interface ConsentPageData {
  consent: Consent
  token: string
  /** Address of the sign-in page that leads back here. */
  switchPath: string
  viewer: Viewer
}

/** The page where a person allows an app or not: who asks for what, and who is asked. */
export function renderConsentPage({ consent, token, switchPath, viewer }: ConsentPageData): string {
  const { client, request, redirectUri, required, optional } = consent
  const { app, environment } = client
  return renderPage(
    <AccountPage
      title="Allow an app"
      description="An app asks for access to your account."
      class="sheet"
      viewer={viewer}
    >
      <header>
        <h1>
          Allow <span dir="auto">{app.name}</span> to use your account?
        </h1>
        <Maker app={app} isDevelopment={environment === 'development'} />
      </header>
      <DecidingAs email={viewer.email} switchPath={switchPath} />
      <PostForm action="/oauth/consent" token={token} values={{ request }} class="stack">
        <AskedScopes required={required} optional={optional} />
        <Decide />
      </PostForm>
      <p class="after">
        Either way you go on to <strong>{destination(redirectUri)}</strong>. What you allow you can
        take back at any time under <a href="/my/apps">Your apps</a>.
      </p>
    </AccountPage>,
  )
}

/** Where the browser goes: the host; of a private address the program that has its scheme. */
function destination(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb ? host : `the program for ${protocol}`
}
