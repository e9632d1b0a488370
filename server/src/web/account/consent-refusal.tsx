import type { ComponentChildren, JSX } from 'preact'
import type { Consent } from '../../oauth/authorize.ts'
import type { ConsentRefusal } from '../../oauth/refusals.ts'
import { describeScopes } from '../../oauth/scopes.ts'
import { isAdmin } from '../../platform/bearer.ts'
import { AppHeader, PostForm, SignedInAs } from '../ui/account.tsx'
import { Submit } from '../ui/fields.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { WantedScopes } from '../ui/scopes.tsx'
import { addedScopes, Change, seenFields } from './approvals-page.tsx'
import { signInPath } from './return-to.ts'

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
          it, sign in with that account.
        </p>
      )}
      {refusal.kind === 'role' && (
        <p>
          {refusal.needed === 'owner'
            ? 'It works for the whole account, so the account’s owner has to allow it. Ask the owner, or sign in as the owner.'
            : 'It works for the whole account, so an admin of the account has to allow it. Ask an admin, or sign in as one.'}
        </p>
      )}
      {refusal.kind === 'approval' && <Approval {...refused} missing={refusal} />}
      {back !== undefined && (
        <p class="after">
          <a href={back}>Go back to {name}</a> without access.
        </p>
      )}
    </AccountPage>
  )
}

function title(refusal: ConsentRefusal, app: JSX.Element, decides: boolean): ComponentChildren {
  if (refusal.kind === 'not-public') return <>{app} is not open to you</>
  if (refusal.kind === 'role') return <>{app} needs your admin</>
  return decides ? <>Approve {app} for your account?</> : <>{app} needs approval</>
}

type MissingApproval = Extract<ConsentRefusal, { kind: 'approval' }>

const asked = {
  none: 'An admin of your account has to approve this app before anyone can use it.',
  requested: 'Your request is with the admins of your account. They have not decided yet.',
  declined: 'An admin of your account declined this app. You can ask again.',
  withdrawn: 'An admin of your account no longer allows this app. You can ask again.',
  changed:
    'This app has changed since an admin of your account approved it. It has another name or requests more scopes. An admin has to approve it again.',
} satisfies Record<MissingApproval['state'], string>

const decided = {
  none: 'Nobody in your account can use this app until an admin approves it.',
  requested: 'Someone in your account requested this app.',
  declined: 'This app was declined for your account. You can still approve it.',
  withdrawn: 'The approval of this app was withdrawn. You can approve it again.',
  changed:
    'This app has changed since it was approved. It has another name or requests more scopes. Nobody in your account can allow the changes until an admin approves it again.',
} satisfies Record<MissingApproval['state'], string>

function Approval(props: RefusedConsent & { missing: MissingApproval }) {
  const { client, user, returnTo } = props
  const { state, asked: wanted, approved } = props.missing
  const changed = state === 'changed' ? approved : undefined
  const values = { app: client.app.id, return_to: returnTo }
  if (isAdmin(user)) {
    return (
      <>
        <p>{decided[state]}</p>
        {changed && <Change asked={wanted} approved={changed} />}
        <section aria-label="Scopes">
          <WantedScopes
            required={describeScopes(wanted.scopes)}
            optional={describeScopes(wanted.optionalScopes)}
            added={changed ? addedScopes(wanted, changed) : []}
          />
        </section>
        <PostForm
          action="/my/approvals"
          values={{ ...values, ...seenFields(wanted) }}
          class="decide"
        >
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
