import type { JSX } from 'preact'
import { fail } from '../../errors/failure.ts'
import type { Consent } from '../../oauth/authorize.ts'
import { isUnverified } from '../../oauth/clients.ts'
import { decideConsent } from '../../oauth/consent.ts'
import type { ConsentRefusal } from '../../oauth/refusals.ts'
import { isAdmin } from '../../people/bearer.ts'
import { isLoopback } from '../../runtime/loopback.ts'
import { AccountPage, AppHeader, SignedInAs } from '../ui/account.tsx'
import { PostForm, Submit } from '../ui/fields.tsx'
import { Section } from '../ui/parts.tsx'
import { Change, DecisionForm, seenFields, WantedScopes } from '../ui/scopes.tsx'
import { readDecision } from './form.tsx'
import { redirect, signedIn } from './page.ts'
import { signInPath } from './return-to.ts'

export const consentPages = {
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
    <Section id="unverified" title="Unverified" class="aside">
      <p>
        {name && ['It calls itself ', <strong dir="auto">{name}</strong>, '. ']}
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
    </Section>
  )
}

/** Names the redirect target: its host, or for a private-use scheme the app on this device. */
function destination(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : `the app on this device for ${protocol}`
}

interface RefusedConsent extends Pick<Consent, 'client' | 'user'> {
  refusal: ConsentRefusal
  /** Path of this page, to return to after an approval or a request for one. */
  returnTo: string
  /** URL that returns to the app with `access_denied`; absent for a device. */
  back?: string
}

/** Explains why the user cannot allow an app yet. */
export function consentRefusalPage(refused: RefusedConsent) {
  const { refusal, client, user, returnTo, back } = refused
  const name = <span dir="auto">{client.app.name}</span>
  return (
    <AccountPage title="Not yet" class="sheet">
      <AppHeader client={client} title={title(refusal, name, isAdmin(user))} />
      <SignedInAs email={user.email} switchPath={signInPath(returnTo)} />
      {refusal.kind === 'not-public' && (
        <p>
          For now, only people in the account that develops this app can use it. If you belong to
          it, sign in with that account. If you make it, make it public in the{' '}
          <a href="/console">developer console</a>.
        </p>
      )}
      {refusal.kind === 'role' && <p>{needed[refusal.needed]}</p>}
      {refusal.kind === 'approval' && <Approval {...refused} missing={refusal} />}
      {back !== undefined && (
        <p class="after">
          <a href={back}>Go back to {name}</a> without access.
        </p>
      )}
    </AccountPage>
  )
}

function title(refusal: ConsentRefusal, app: JSX.Element, decides: boolean) {
  if (refusal.kind === 'not-public') return [app, ' is not open to you']
  if (refusal.kind === 'role') return [app, ' needs your admin']
  return decides ? ['Approve ', app, ' for your account?'] : [app, ' needs approval']
}

const needed = {
  owner:
    'It works for the whole account, so the account’s owner has to allow it. Ask the owner, or sign in as the owner.',
  admin:
    'It works for the whole account, so an admin of the account has to allow it. Ask an admin, or sign in as one.',
}

/** The reasons why an approval is missing, for people who can request it. */
const asked = {
  none: 'An admin of your account has to approve this app before anyone can use it.',
  requested: 'Your request is with the admins of your account. They have not decided yet.',
  declined: 'An admin of your account declined this app. You can ask again.',
  withdrawn: 'An admin of your account no longer allows this app. You can ask again.',
  changed:
    'This app has changed since an admin of your account approved it. It has another name or requests more scopes. An admin has to approve it again.',
}

/** The same reasons for admins. */
const decided: typeof asked = {
  none: 'Nobody in your account can use this app until an admin approves it.',
  requested: 'Someone in your account requested this app.',
  declined: 'This app was declined for your account. You can still approve it.',
  withdrawn: 'The approval of this app was withdrawn. You can approve it again.',
  changed:
    'This app has changed since it was approved. It has another name or requests more scopes. Nobody in your account can allow the changes until an admin approves it again.',
}

function Approval({ client, user, returnTo, missing }: RefusedConsent & { missing: Missing }) {
  const { state, asked: wanted, approved } = missing
  const changed = state === 'changed' ? approved : undefined
  const values = { app: client.app.id, return_to: returnTo }
  if (isAdmin(user)) {
    const seen = { ...values, ...seenFields(wanted) }
    return (
      <>
        <p>{decided[state]}</p>
        {changed && <Change asked={wanted} approved={changed} />}
        <section aria-label="Scopes">
          <WantedScopes asked={wanted} approved={changed} />
        </section>
        <PostForm action="/my/approvals" values={seen} class="decide">
          <Submit name="decision" value="approve">
            Approve
          </Submit>
        </PostForm>
      </>
    )
  }
  return (
    <>
      <p role="status">{asked[state]}</p>
      {state === 'requested' ? (
        <p>
          Once it is approved, <a href={returnTo}>reload this page</a>.
        </p>
      ) : (
        <PostForm action="/oauth/approval/request" values={values} class="decide">
          <Submit>Request approval</Submit>
        </PostForm>
      )}
    </>
  )
}

type Missing = Extract<ConsentRefusal, { kind: 'approval' }>
