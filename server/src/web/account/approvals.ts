import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import {
  decideApproval,
  getSettings,
  listApprovals,
  requestApproval,
  updateSettings,
} from '../../oauth/approvals.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { readChoice } from '../console/issues.ts'
import { renderApprovalsPage } from '../pages/approvals.tsx'
import type { Form } from './form.ts'
import { signedInForm, signedInPage } from './handlers.ts'
import { readQuery, seeOther, sendPage, viewerOf } from './page.ts'
import { readReturnTo } from './return-to.ts'
import { formToken } from './session.ts'

/** For what the forms about an app's approval are good. */
export const approvalPurpose = (appId: string): string => `approval ${appId}`
const purposeOf = (form: Form) => approvalPurpose(form.one('app'))

const listPath = '/my/approvals'

/** How many apps each part of the page shows at once. */
const pageSize = 50

/** The parts of the page, each with the states that stand there. */
const sections = {
  requests: ['requested'],
  approved: ['approved'],
  refused: ['declined', 'withdrawn'],
} as const

const decisions = { approve: 'approved', decline: 'declined', withdraw: 'withdrawn' } as const

const settingPurpose = 'require approval'

/** Asking for apps, and deciding on them for the account. */
export function approvalsRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get(
    listPath,
    signedInPage(ctx, async ({ req, res, visit }) => {
      const { user } = visit.session
      const one = readQuery(req, 'list')
      const after = readQuery(req, 'after')
      const section = async (name: keyof typeof sections) => {
        if (one !== undefined && one !== name) return undefined
        const { items, nextPageToken } = await listApprovals(ctx, user, {
          states: sections[name],
          after: one === name ? after : undefined,
          limit: pageSize,
        })
        const rows = items.map((approval) => ({
          ...approval,
          token: formToken(visit, approvalPurpose(approval.appId)),
        }))
        const nextPath = nextPageToken && `${listPath}?list=${name}&after=${nextPageToken}`
        return { rows, nextPath }
      }
      const { requireAppApproval } = await getSettings(ctx, user)
      const page = {
        requests: await section('requests'),
        approved: await section('approved'),
        refused: await section('refused'),
        isRequired: requireAppApproval,
        isSaved: readQuery(req, 'done') === 'saved',
        settingToken: formToken(visit, settingPurpose),
        viewer: viewerOf(visit),
      }
      sendPage(res, renderApprovalsPage(page))
    }),
  )

  router.post(
    '/my/approvals/setting',
    signedInForm(
      ctx,
      () => settingPurpose,
      async ({ req, res, visit, form }) => {
        const requireAppApproval = form.one('required') === 'on'
        await updateSettings(from(ctx, req), visit.session.user, { requireAppApproval })
        seeOther(res, `${listPath}?done=saved`)
      },
    ),
  )

  router.post(
    listPath,
    signedInForm(ctx, purposeOf, async ({ req, res, visit, form }) => {
      const choice = readChoice(form.one('decision'), 'decision', [
        'approve',
        'decline',
        'withdraw',
      ])
      await decideApproval(from(ctx, req), visit.session.user, form.one('app'), decisions[choice])
      seeOther(res, readReturnTo(form.one('return_to'), listPath))
    }),
  )

  router.post(
    '/oauth/approval/request',
    signedInForm(ctx, purposeOf, async ({ req, res, visit, form }) => {
      await requestApproval(from(ctx, req), visit.session.user, form.one('app'))
      seeOther(res, readReturnTo(form.one('return_to')))
    }),
  )

  return router
}
