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
  decisions,
  listPath,
  parts,
  readSeen,
  type ShownPart,
} from './approvals-page.tsx'
import { askToConfirm, type Confirmation, needsConfirmation } from './confirmation.tsx'
import { readChoice } from './form.ts'
import { type PageRoutes, readQuery, redirect, show, signedIn } from './page.ts'
import { readReturnTo } from './return-to.ts'

const limit = 50

export const approvalsPages: PageRoutes = {
  [listPath]: {
    get: signedIn(async ({ ctx, req, session: { user } }) => {
      const admin = developerOf(user)
      const list = readQuery(req, 'list')
      const shown: ShownPart[] = []
      for (const part of parts) {
        // `list` selects one section, for its further pages.
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
      const asked = needsConfirmation(form) && (await findAccountApproval(ctx, admin, appId))
      if (asked) return askToConfirm(req, withdrawalOf(asked))
      const choice = readChoice(form, 'decision', ['approve', 'decline', 'withdraw'])
      await decideApproval(ctx, admin, appId, decisions[choice], readSeen(form))
      return redirect(readReturnTo(form.one('return_to'), listPath))
    }),
  },
  '/my/approvals/setting': {
    post: signedIn(async ({ ctx, session, form }) => {
      await requireApprovals(ctx, developerOf(session.user), form.one('required') === 'on')
      return redirect(`${listPath}?done=saved`)
    }),
  },
  '/oauth/approval/request': {
    post: signedIn(async ({ ctx, session, form }) => {
      await requestApproval(ctx, session.user, form.one('app'))
      return redirect(form.one('return_to'))
    }),
  },
}

function withdrawalOf({ appId, appName }: NamedApproval): Confirmation {
  const name = <span dir="auto">{appName}</span>
  return {
    title: <>Withdraw the approval of {name}?</>,
    text: 'Everyone in your account loses the app immediately, and nobody can use it until an admin approves it again. If it is public, it is asked to delete their data.',
    button: <Label of={name}>Withdraw</Label>,
    values: { app: appId, decision: 'withdraw' },
    back: listPath,
  }
}
