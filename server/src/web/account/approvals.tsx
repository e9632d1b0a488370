import {
  decideApproval,
  findOwnApproval,
  listApprovals,
  requestApproval,
  requireApprovals,
  requiresApproval,
} from '../../apps/approvals.ts'
import { Label } from '../ui/account.tsx'
import {
  approvalsPage,
  labels,
  listPath,
  parts,
  purposeOf,
  readSeen,
  type ShownPart,
  settingPurpose,
} from './approvals-page.tsx'
import { readChoice } from './form.ts'
import { type SignedInExchange, signedInForm, signedInPage, type WithForm } from './handlers.ts'
import { goOn, type PageRoute, readQuery, show } from './page.ts'
import { askFirst, type Question } from './question.tsx'
import { readReturnTo } from './return-to.ts'

/** How many apps each part of the page shows at once. */
const limit = 50

const decisions = { approve: 'approved', decline: 'declined', withdraw: 'withdrawn' } as const

/** Asking for apps, and deciding on them for the account. */
export const approvalsPages: PageRoute[] = [
  {
    path: listPath,
    get: signedInPage(async ({ ctx, req, visit }) => {
      const { user } = visit.session
      const list = readQuery(req, 'list')
      const shown: ShownPart[] = []
      for (const part of parts) {
        // The address may ask for another page of one part alone.
        if (list !== undefined && list !== part.name) continue
        const after = list === undefined ? undefined : readQuery(req, 'after')
        const { states, name } = part
        const { items, nextPageToken } = await listApprovals(ctx, user, { states, after, limit })
        const nextPath = nextPageToken && `${listPath}?list=${name}&after=${nextPageToken}`
        shown.push({ ...part, rows: items, nextPath })
      }
      const isRequired = await requiresApproval(ctx, user)
      const isSaved = readQuery(req, 'done') === 'saved'
      return show(approvalsPage(visit, shown, { isRequired, isSaved }))
    }),
    post: signedInForm(
      purposeOf,
      askFirst(askWithdrawal, async ({ ctx, visit, form }) => {
        const choice = readChoice(form, 'decision', ['approve', 'decline', 'withdraw'])
        const { user } = visit.session
        await decideApproval(ctx, user, form.one('app'), decisions[choice], readSeen(form))
        return goOn(readReturnTo(form.one('return_to'), listPath))
      }),
    ),
  },
  {
    path: '/my/approvals/setting',
    post: signedInForm(settingPurpose, async ({ ctx, visit, form }) => {
      await requireApprovals(ctx, visit.session.user, form.one('required') === 'on')
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

async function askWithdrawal({
  ctx,
  visit,
  form,
}: WithForm<SignedInExchange>): Promise<Question | undefined> {
  const app = await findOwnApproval(ctx, visit.session.user, form.one('app'))
  if (!app) return undefined
  const name = <span dir="auto">{app.appName}</span>
  return {
    title: <>Withdraw the approval of {name}?</>,
    words:
      'Everyone in your account loses the app at once, and nobody can use it until an admin approves it again. A public app is told to delete what it has.',
    button: <Label of={name}>{labels.withdraw}</Label>,
    values: { app: app.appId, decision: 'withdraw' },
    back: listPath,
  }
}
