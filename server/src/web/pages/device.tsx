import type { DeviceDecision, WaitingDevice } from '../../oauth/device.ts'
import { DecidingAs, Maker, PostForm, type Viewer } from '../ui/account.tsx'
import { Refusal, Submit } from '../ui/fields.tsx'
import { Minute } from '../ui/format.tsx'
import { AccountPage, renderPage } from '../ui/layout.tsx'
import { AskedScopes, Decide } from '../ui/scopes.tsx'

export interface DeviceEntryPageData {
  token: string
  viewer: Viewer
  /** What was entered before, and why it leads nowhere. */
  code?: string
  refusal?: string
}

/** The page where a person enters the code that a device shows. */
export function renderDeviceEntryPage({
  token,
  viewer,
  code = '',
  refusal,
}: DeviceEntryPageData): string {
  return renderPage(
    <AccountPage
      title="Connect a device"
      description="Enter the code that your device shows."
      class="sheet narrow"
      viewer={viewer}
    >
      <header>
        <h1>Connect a device</h1>
        <p class="muted" id="hint">
          Enter the code that the device shows, eight letters.
        </p>
      </header>
      {refusal !== undefined && <Refusal id="refusal">{refusal}</Refusal>}
      <PostForm action="/oauth_device" token={token} class="fields">
        <label for="code">Code</label>
        <input
          id="code"
          name="code"
          class="code mono"
          value={code}
          required
          maxLength={40}
          placeholder="XXXX-XXXX"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          autofocus
          aria-describedby={refusal === undefined ? 'hint' : 'refusal hint'}
        />
        <Submit>Continue</Submit>
      </PostForm>
    </AccountPage>,
  )
}

export interface DeviceConfirmationPageData {
  device: WaitingDevice
  /** Whether it asked from where this person is. */
  isNear: boolean
  token: string
  viewer: Viewer
  switchPath: string
}

/**
 * The page where a person allows a device or not. Somebody may have sent them here with a code of
 * their own (RFC 8628 §5.4), so it shows what the device must show too.
 */
export function renderDeviceConfirmationPage(data: DeviceConfirmationPageData): string {
  const { device, isNear, token, viewer, switchPath } = data
  const { client, userCode, address, createdAt } = device
  const { app, environment } = client
  return renderPage(
    <AccountPage
      title="Allow a device"
      description="A device asks for access to your account."
      class="sheet"
      viewer={viewer}
    >
      <header>
        <h1>
          Allow <span dir="auto">{app.name}</span> on your device?
        </h1>
        <Maker app={app} isDevelopment={environment === 'development'} />
      </header>
      <section class="aside" aria-labelledby="shown">
        <h2 id="shown">Does your device show this code?</h2>
        <p class="code mono">{userCode}</p>
        <p>
          Asked for from <strong>{address}</strong>
          {isNear && ', where you are now'}, on <Minute at={createdAt} />.
        </p>
        <p>
          <strong>If somebody sent you this code or a link to it, choose Deny.</strong> They would
          get access to your account.
        </p>
      </section>
      <DecidingAs email={viewer.email} switchPath={switchPath} />
      <PostForm
        action="/oauth/device/decision"
        token={token}
        values={{ code: userCode }}
        class="stack"
      >
        <AskedScopes required={device.required} optional={device.optional} />
        <Decide />
      </PostForm>
    </AccountPage>,
  )
}

/** The page after a decision about a device. */
export function renderDeviceDonePage(decision: DeviceDecision, viewer: Viewer): string {
  const isAllowed = decision === 'allowed'
  const title = isAllowed ? 'Your device is connected' : 'You denied the device'
  return renderPage(
    <AccountPage title={title} description={title} class="sheet" viewer={viewer}>
      <h1>{title}</h1>
      <p role="status">
        {isAllowed
          ? 'You may go back to your device; it goes on by itself in a few seconds.'
          : 'It has no access to your account. You may close this page.'}
      </p>
      {isAllowed && (
        <p class="after">
          You can take this back at any time under <a href="/my/apps">Your apps</a>.
        </p>
      )}
    </AccountPage>,
  )
}
