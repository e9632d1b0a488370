import { clientAddress } from '../../limits/client-address.ts'
import { decideDevice, findWaitingDevice } from '../../oauth/device.ts'
import {
  renderDeviceConfirmationPage,
  renderDeviceDonePage,
  renderDeviceEntryPage,
} from '../pages/device.tsx'
import { approvalPurpose } from './approvals.ts'
import { renderConsentRefusalPage } from './consent-refusal.tsx'
import { readDecision } from './form.ts'
import { type SignedInExchange, signedInForm, signedInPage, viewerOf } from './handlers.ts'
import { type AccountPage, type Answer, show } from './page.ts'
import { signInPath } from './return-to.ts'
import { formToken, type SignedInVisit } from './session.ts'

/** Connecting a device: its code, the confirmation, the decision (RFC 8628 §3.3). */
export const devicePages: AccountPage[] = [
  {
    path: '/oauth_device',
    get: signedInPage(async ({ visit }) => show(entryPage(visit))),
    post: signedInForm('device', (exchange) => confirm(exchange, exchange.form.one('code'))),
  },
  // Opened from a QR code or a link, maybe a stranger's: it shows, and decides nothing.
  {
    path: '/oauth/device/complete/:code',
    get: signedInPage((exchange) => confirm(exchange, String(exchange.req.params.code))),
  },
  {
    path: '/oauth/device/decision',
    post: signedInForm(
      (form) => decisionPurpose(form.one('code')),
      async ({ ctx, req, visit, form }) => {
        const userCode = form.one('code')
        const ticked = form.all('scope')
        const address = clientAddress(req)
        const decision = { userCode, allow: readDecision(form), ticked, address }
        const decided = await decideDevice(ctx, visit.session, decision)
        return decided
          ? show(renderDeviceDonePage(decided, viewerOf(visit)))
          : show(entryPage(visit, userCode), 400)
      },
    ),
  },
]

/** A decision is good for the one device that was shown. */
const decisionPurpose = (userCode: string) => `device ${userCode}`

/** The page to enter a code on, once more where the one that was entered leads nowhere. */
function entryPage(visit: SignedInVisit, code?: string): string {
  const page = { token: formToken(visit, 'device'), viewer: viewerOf(visit) }
  if (code === undefined) return renderDeviceEntryPage(page)
  // One that never was and one that has expired are told alike.
  const refusal = 'This code is not known, or it has expired. Look at your device again.'
  return renderDeviceEntryPage({ ...page, code: code.slice(0, 20), refusal })
}

/** Shows what waits under a code. */
async function confirm({ ctx, req, visit }: SignedInExchange, code: string): Promise<Answer> {
  const address = clientAddress(req)
  const device = await findWaitingDevice(ctx, visit.session, code, address)
  if (!device) return show(entryPage(visit, code), 400)
  const { userCode, refusal, client } = device
  const returnTo = `/oauth/device/complete/${userCode}`
  const page = { viewer: viewerOf(visit), switchPath: signInPath(returnTo) }
  if (refusal) {
    const token = formToken(visit, approvalPurpose(client.app.id))
    return show(renderConsentRefusalPage({ ...page, refusal, client, token, returnTo }), 403)
  }
  const token = formToken(visit, decisionPurpose(userCode))
  const isNear = device.address === address
  return show(renderDeviceConfirmationPage({ ...page, device, isNear, token }))
}
