import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import { clientAddress } from '../../limits/client-address.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { decideDevice, findWaitingDevice } from '../../oauth/device.ts'
import { renderConsentRefusalPage } from '../pages/consent-refusal.tsx'
import {
  renderDeviceConfirmationPage,
  renderDeviceDonePage,
  renderDeviceEntryPage,
} from '../pages/device.tsx'
import { approvalPurpose } from './approvals.ts'
import { type Form, readDecision } from './form.ts'
import { type SignedInRequest, signedInForm, signedInPage } from './handlers.ts'
import { sendPage, viewerOf } from './page.ts'
import { signInPath } from './return-to.ts'
import { formToken, type SignedInVisit } from './session.ts'

/** Connecting a device: its code, the confirmation, the decision (RFC 8628 §3.3). */
export function deviceRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get(
    '/oauth_device',
    signedInPage(ctx, async ({ res, visit }) => sendPage(res, entryPage(visit))),
  )

  router.post(
    '/oauth_device',
    signedInForm(
      ctx,
      () => 'device',
      ({ form, ...exchange }) => confirm(ctx, exchange, form.one('code')),
    ),
  )

  // Opened from a QR code or a link, maybe a stranger's: it shows, and decides nothing.
  router.get(
    '/oauth/device/complete/:code',
    signedInPage(ctx, (exchange) => confirm(ctx, exchange, String(exchange.req.params.code))),
  )

  router.post(
    '/oauth/device/decision',
    signedInForm(ctx, decisionPurposeOf, async ({ req, res, visit, form }) => {
      const userCode = form.one('code')
      const ticked = form.all('scope')
      const address = clientAddress(req)
      const decision = { userCode, allow: readDecision(form), ticked, address }
      const decided = await decideDevice(from(ctx, req), visit.session, decision)
      if (decided) sendPage(res, renderDeviceDonePage(decided, viewerOf(visit)))
      else sendPage(res, entryPage(visit, userCode), 400)
    }),
  )

  return router
}

/** A decision is good for the one device that was shown. */
const decisionPurpose = (userCode: string) => `device ${userCode}`
const decisionPurposeOf = (form: Form) => decisionPurpose(form.one('code'))

/** The page to enter a code on, once more where the one that was entered leads nowhere. */
function entryPage(visit: SignedInVisit, code?: string): string {
  const page = { token: formToken(visit, 'device'), viewer: viewerOf(visit) }
  if (code === undefined) return renderDeviceEntryPage(page)
  // One that never was and one that has expired are told alike.
  const refusal = 'This code is not known, or it has expired. Look at your device again.'
  return renderDeviceEntryPage({ ...page, code: code.slice(0, 20), refusal })
}

/** Shows what waits under a code. */
async function confirm(
  ctx: OAuthContext,
  { req, res, visit }: SignedInRequest,
  code: string,
): Promise<void> {
  const address = clientAddress(req)
  const device = await findWaitingDevice(ctx, visit.session, code, address)
  if (!device) {
    sendPage(res, entryPage(visit, code), 400)
    return
  }
  const { userCode, refusal, client } = device
  const returnTo = `/oauth/device/complete/${userCode}`
  const page = { viewer: viewerOf(visit), switchPath: signInPath(returnTo) }
  if (refusal) {
    const token = formToken(visit, approvalPurpose(client.app.id))
    sendPage(res, renderConsentRefusalPage({ ...page, refusal, client, token, returnTo }), 403)
    return
  }
  const token = formToken(visit, decisionPurpose(userCode))
  const isNear = device.address === address
  sendPage(res, renderDeviceConfirmationPage({ ...page, device, isNear, token }))
}
