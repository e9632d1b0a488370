import {
  decideApproval,
  getSettings,
  listApprovals,
  requestApproval,
  updateSettings,
} from '../../oauth/approvals.ts'
import { renderApprovalsPage } from '../pages/approvals.tsx'
import { type Form, readChoice } from './form.ts'
import { signedInForm, signedInPage, viewerOf } from './handlers.ts'
import { type AccountPage, goOn, readQuery, show } from './page.ts'
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
export const approvalsPages: AccountPage[] = [
  {
    path: listPath,
    get: signedInPage(async ({ ctx, req, visit }) => {
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
      return show(renderApprovalsPage(page))
    }),
    post: signedInForm(purposeOf, async ({ ctx, visit, form }) => {
      const choice = readChoice(form, 'decision', ['approve', 'decline', 'withdraw'])
      await decideApproval(ctx, visit.session.user, form.one('app'), decisions[choice])
      return goOn(readReturnTo(form.one('return_to'), listPath))
    }),
  },
  {
    path: '/my/approvals/setting',
    post: signedInForm(settingPurpose, async ({ ctx, visit, form }) => {
      const requireAppApproval = form.one('required') === 'on'
      await updateSettings(ctx, visit.session.user, { requireAppApproval })
      return goOn(`${listPath}?done=saved`)
    }),
  },
  {
    path: '/oauth/approval/request',
    post: signedInForm(purposeOf, async ({ ctx, visit, form }) => {
      await requestApproval(ctx, visit.session.user, form.one('app'))
      return goOn(readReturnTo(form.one('return_to')))
    }),
  },
]
