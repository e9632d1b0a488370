import { Router } from 'express'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import { formToken } from '../../http/session.ts'
import {
  decideApproval,
  listApprovals,
  requestApproval,
  withdrawApproval,
} from '../../oauth/approvals.ts'
import type { UserRecord } from '../../platform/store/users.ts'
import { renderApprovalsPage } from '../pages/approvals.tsx'
import type { Form } from './form.ts'
import { signedInForm, signedInPage } from './handlers.ts'
import { seeOther, sendPage, viewerOf } from './page.ts'
import { readReturnTo } from './return-to.ts'

/** For what the forms about an app's approval are good. */
export const approvalPurpose = (appId: string): string => `approval ${appId}`
const purposeOf = (form: Form) => approvalPurpose(form.one('app'))

const listPath = '/my/approvals'

/** Asking for apps, and deciding on them for the account. */
export function approvalsRoutes(ctx: Context): Router {
  const router = Router()

  router.get(
    listPath,
    signedInPage(ctx, async ({ res, visit }) => {
      const listed = await listApprovals(ctx, visit.session.user)
      const approvals = listed.map((approval) => ({
        ...approval,
        token: formToken(visit, approvalPurpose(approval.appId)),
      }))
      sendPage(res, renderApprovalsPage({ approvals, viewer: viewerOf(visit) }))
    }),
  )

  router.post(
    listPath,
    signedInForm(ctx, purposeOf, async ({ res, visit, form }) => {
      await decide(ctx, visit.session.user, form.one('app'), form.one('decision'))
      seeOther(res, readReturnTo(form.one('return_to'), listPath))
    }),
  )

  router.post(
    '/oauth/approval/request',
    signedInForm(ctx, purposeOf, async ({ res, visit, form }) => {
      await requestApproval(ctx, visit.session.user, form.one('app'))
      seeOther(res, readReturnTo(form.one('return_to')))
    }),
  )

  return router
}

function decide(ctx: Context, admin: UserRecord, appId: string, decision: string): Promise<void> {
  if (decision === 'approve') return decideApproval(ctx, admin, appId, 'approved')
  if (decision === 'decline') return decideApproval(ctx, admin, appId, 'declined')
  if (decision === 'withdraw') return withdrawApproval(ctx, admin, appId)
  return fail('VALIDATION_ERROR', 'decision is approve, decline or withdraw.')
}
