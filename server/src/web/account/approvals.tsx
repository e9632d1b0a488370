import {
  decideApproval,
  findAccountApproval,
  listApprovals,
  type NamedApproval,
  requestApproval,
  requireApprovals,
  requiresApproval,
} from '../../apps/approvals.ts'
import { developerOf } from '../../apps/developer.ts'
import { Label } from '../ui/account.tsx'
import {
  approvalsPage,
  labels,
  listPath,
  parts,
  readSeen,
  type ShownPart,
} from './approvals-page.tsx'
import { readChoice } from './form.ts'
import { goOn, type PageRoute, readQuery, show, signedIn } from './page.ts'
import { ask, isAsking, type Question } from './question.tsx'
import { readReturnTo } from './return-to.ts'

const limit = 50

const decisions = { approve: 'approved', decline: 'declined', withdraw: 'withdrawn' } as const

export const approvalsPages: PageRoute[] = [
  {
    path: listPath,
    get: signedIn(async ({ ctx, req, session: { user } }) => {
      const admin = developerOf(user)
      const list = readQuery(req, 'list')
      const shown: ShownPart[] = []
      for (const part of parts) {
        // The address may ask for another page of one part alone.
        if (list !== undefined && list !== part.name) continue
        const after = list === undefined ? undefined : readQuery(req, 'after')
        const { states, name } = part
        const { items, nextPageToken } = await listApprovals(ctx, admin, states, { after, limit })
        const nextPath = nextPageToken && `${listPath}?list=${name}&after=${nextPageToken}`
        shown.push({ ...part, rows: items, nextPath })
      }
      return show(approvalsPage(shown, await requiresApproval(ctx, admin)))
    }),
    post: signedIn(async ({ ctx, req, session: { user }, form }) => {
      const admin = developerOf(user)
      const appId = form.one('app')
      const asked = isAsking(form) && (await findAccountApproval(ctx, admin, appId))
      if (asked) return ask(req, withdrawalOf(asked))
      const choice = readChoice(form, 'decision', ['approve', 'decline', 'withdraw'])
      await decideApproval(ctx, admin, appId, decisions[choice], readSeen(form))
      return goOn(readReturnTo(form.one('return_to'), listPath))
    }),
  },
  {
    path: '/my/approvals/setting',
    post: signedIn(async ({ ctx, session, form }) => {
      await requireApprovals(ctx, developerOf(session.user), form.one('required') === 'on')
      return goOn(`${listPath}?done=saved`)
    }),
  },
  {
    path: '/oauth/approval/request',
    post: signedIn(async ({ ctx, session, form }) => {
      await requestApproval(ctx, session.user, form.one('app'))
      return goOn(form.one('return_to'))
    }),
  },
]

function withdrawalOf({ appId, appName }: NamedApproval): Question {
  const name = <span dir="auto">{appName}</span>
  return {
    title: <>Withdraw the approval of {name}?</>,
    words:
      'Everyone in your account loses the app at once, and nobody can use it until an admin approves it again. A public app is told to delete what it has.',
    button: <Label of={name}>{labels.withdraw}</Label>,
    values: { app: appId, decision: 'withdraw' },
    back: listPath,
  }
}
