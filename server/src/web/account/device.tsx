import { decideDevice, findWaitingDevice, type WaitingDevice } from '../../oauth/device.ts'
import { AccountPage, AppHeader, EntryPage, SignedInAs } from '../ui/account.tsx'
import { Minute, Section } from '../ui/parts.tsx'
import { DecisionForm } from '../ui/scopes.tsx'
import { consentRefusalPage } from './consent.tsx'
import { readDecision } from './form.tsx'
import { type SignedIn, show, signedIn } from './page.ts'
import { signInPath } from './return-to.ts'

const completePath = (userCode: string) => `/oauth/device/complete/${userCode}`

/** Pages that connect a device: code entry, confirmation and decision (RFC 8628 §3.3). */
export const devicePages = {
  '/oauth_device': {
    get: signedIn(async () => show(entryPage())),
    post: signedIn((exchange) => confirm(exchange, exchange.form.one('code'), 'form')),
  },
  // Opened from a QR code or a link, which may be an attacker's, so it changes nothing.
  [completePath(':code')]: {
    get: signedIn((exchange) => confirm(exchange, String(exchange.req.params.code), 'link')),
  },
  '/oauth/device/decision': {
    post: signedIn(async ({ ctx, session, form }) => {
      const userCode = form.one('code')
      const ticked = form.all('scope')
      const decision = { userCode, allow: readDecision(form), ticked }
      const decided = await decideDevice(ctx, session, decision)
      return decided ? show(donePage(decided)) : show(entryPage(userCode, true), 400)
    }),
  },
}

async function confirm({ ctx, session }: SignedIn, code: string, source: 'form' | 'link') {
  const device = await findWaitingDevice(ctx, session, code, source)
  if (!device) return show(entryPage(code, true), 400)
  if (device === 'unchecked') return show(entryPage(code), 429)
  if (typeof device === 'string') return show(donePage(device))
  const { refusal, client } = device
  const { user } = session
  const returnTo = completePath(device.userCode)
  if (refusal) return show(consentRefusalPage({ refusal, client, user, returnTo }), 403)
  return show(confirmationPage(device, user.email, device.address === ctx.address))
}

// Unknown and expired codes get the same text, so that guesses reveal nothing.
const wrongCode = 'This code is wrong or has expired. Check your device for the current one.'

const entryPage = (code = '', isRefused = false) => (
  <EntryPage
    title="Connect a device"
    action="/oauth_device"
    name="code"
    label="Code"
    hint="The eight letters that your device shows."
    issue={isRefused ? wrongCode : undefined}
    value={code.slice(0, 20)}
    class="code mono"
    maxLength={40}
    placeholder="XXXX-XXXX"
    autocapitalize="characters"
  />
)

/**
 * The page where a person allows or denies a device. An attacker may have sent them a link with the
 * attacker's code (RFC 8628 §5.4), so the page shows the code to compare with the device.
 */
function confirmationPage(device: WaitingDevice, email: string, isNear: boolean) {
  const { client, userCode, address, createdAt } = device
  const name = <span dir="auto">{client.app.name}</span>
  return (
    <AccountPage title="Allow a device" class="sheet">
      <AppHeader client={client} title={<>Allow {name} on your device?</>} />
      <Section id="shown" title="Does your device show this code?" class="aside">
        <p class="code mono">{userCode}</p>
        <p>
          Requested from <strong>{address}</strong>
          {isNear && ' (your own network)'} on <Minute at={createdAt} />.
        </p>
        <p>
          <strong>If someone sent you this code or a link to it, choose Deny.</strong> They would
          get access to your account.
        </p>
      </Section>
      <SignedInAs email={email} switchPath={signInPath(completePath(userCode))} />
      <DecisionForm action="/oauth/device/decision" values={{ code: userCode }} asked={device} />
    </AccountPage>
  )
}

/** Title and text of the page after a decision. */
const done = {
  allowed: ['You can go back to your device', 'It connects within a few seconds.'],
  connected: ['Your device is connected', 'You can close this page.'],
  denied: ['You denied the device', 'It has no access to your account. You can close this page.'],
} as const

/** The page after a decision. An allowed device is connected only once it has polled. */
function donePage(decision: keyof typeof done) {
  const [title, text] = done[decision]
  return (
    <AccountPage title={title} class="sheet">
      <h1>{title}</h1>
      <p role="status">{text}</p>
      {decision !== 'denied' && (
        <p class="after">
          You can remove its access at any time under <a href="/my/apps">Your apps</a>.
        </p>
      )}
    </AccountPage>
  )
}
