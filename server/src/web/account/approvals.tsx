import { parseScopes } from '@skillpass/contract'
import type { JSX } from 'preact'
import { managerOf } from '../../oauth/apps/app-manager.ts'
import {
  decideApproval,
  findAccountApproval,
  hasChanged,
  listApprovals,
  type NamedApproval,
  requestApproval,
  requireApprovals,
  requiresApproval,
} from '../../oauth/apps/approvals.ts'
import type { ListPage } from '../../runtime/page-token.ts'
import { AccountPage, Action, AppRow, Label, Rows } from '../ui/account.tsx'
import { Done, describeFields, More, PostForm, Submit } from '../ui/fields.tsx'
import { readChoice } from '../ui/form.ts'
import { capitalize, Section, Time } from '../ui/parts.tsx'
import { Change, seenFields, WantedScopes } from '../ui/scopes.tsx'
import { askToConfirm, needsConfirmation } from './form.tsx'
import { readQuery, redirect, show, signedIn } from './page.ts'
import { readReturnTo } from './return-to.ts'

const listPath = '/my/approvals'
const limit = 50

/** The new state of an approval, by decision. */
const decisions = { approve: 'approved', decline: 'declined', withdraw: 'withdrawn' } as const

/** A section of the page: the approval states it lists and the decisions it offers. */
interface Part {
  title: string
  states: readonly NamedApproval['state'][]
  choices: readonly (keyof typeof decisions)[]
  /** Text of the empty section. Without it, an empty section is not shown. */
  none?: string
  hint?: string
}

const parts: Readonly<Record<string, Part>> = {
  requests: {
    title: 'Requests',
    states: ['requested'],
    choices: ['approve', 'decline'],
    none: 'No requests yet',
  },
  approved: {
    title: 'Approved',
    states: ['approved'],
    choices: ['approve', 'withdraw'],
    none: 'No approved apps yet',
    hint: 'If you withdraw an approval, everyone in the account loses the app at once.',
  },
  refused: {
    title: 'Declined and withdrawn',
    states: ['declined', 'withdrawn'],
    choices: ['approve'],
  },
}

const setting = describeFields({
  required: {
    label: 'Require approval before people can use an app',
    description: 'Apps that people have already allowed keep working.',
  },
})

export const approvalsPages = {
  [listPath]: {
    get: signedIn(async ({ ctx, req, session }) => {
      const manager = managerOf(session.user)
      const list = readQuery(req, 'list')
      const sections: JSX.Element[] = []
      for (const [name, part] of Object.entries(parts)) {
        // `list` selects one section, for its further pages.
        if (list !== '' && list !== name) continue
        const after = list && readQuery(req, 'after')
        const page = await listApprovals(ctx, manager, part.states, { after, limit })
        if (page.items.length > 0 || part.none) {
          sections.push(<Approvals name={name} {...part} {...page} />)
        }
      }
      return show(approvalsPage(sections, await requiresApproval(ctx, manager)))
    }),
    post: signedIn(async ({ ctx, req, session, form }) => {
      const { one } = form
      const manager = managerOf(session.user)
      const appId = one('app')
      const asked = needsConfirmation(form) && (await findAccountApproval(ctx, manager, appId))
      if (asked) {
        const name = <span dir="auto">{asked.appName}</span>
        return askToConfirm(req, {
          title: ['Withdraw the approval of ', name, '?'],
          text: 'Everyone in your account loses the app immediately, and nobody can use it until an admin approves it again. If it is public, it is asked to delete their data.',
          button: <Label of={name}>Withdraw</Label>,
          values: { app: asked.appId, decision: 'withdraw' },
          back: listPath,
        })
      }
      const choice = readChoice(one('decision'), 'decision', ['approve', 'decline', 'withdraw'])
      const name = one('name')
      const seen = name === '' ? {} : { name, scopes: parseScopes(one('scopes')) }
      await decideApproval(ctx, manager, appId, decisions[choice], seen)
      return redirect(readReturnTo(one('return_to'), listPath))
    }),
  },
  '/my/approvals/setting': {
    post: signedIn(async ({ ctx, session, form }) => {
      await requireApprovals(ctx, managerOf(session.user), setting.read(form).required)
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

/** The account's approval requests and decisions. */
function approvalsPage(sections: JSX.Element[], isRequired: boolean) {
  const saved = isRequired
    ? 'Saved. People can now allow only apps that are approved here.'
    : 'Saved. People can now allow apps without approval.'
  return (
    <AccountPage title="Approvals" class="list stack">
      <header>
        <h1>Approvals</h1>
        <p class="lede">The apps people in your account have requested, and those they can use.</p>
      </header>
      <Done notes={{ saved }} />
      <PostForm action="/my/approvals/setting" class="setting">
        {setting.show({ required: isRequired })('required')}
        <Submit look="plain">Save</Submit>
      </PostForm>
      {sections}
    </AccountPage>
  )
}

type SectionProps = { name: string } & Part & ListPage<NamedApproval>

const Approvals = ({ name, title, none, hint, choices, items, nextPageToken }: SectionProps) => (
  <Section id={name} title={title}>
    {hint && items.length > 0 && <p class="muted">{hint}</p>}
    <Rows none={none}>
      {items.map((approval) => (
        <Row approval={approval} choices={choices} />
      ))}
    </Rows>
    <More path={nextPageToken && `${listPath}?list=${name}&after=${nextPageToken}`}>More</More>
  </Section>
)

/** An app with its buttons. Approve sends the name and scopes that the admin sees. */
function Row({ approval, choices }: { approval: NamedApproval } & Pick<Part, 'choices'>) {
  const { appId, appName, developerName, state } = approval
  const changed = hasChanged(approval) ? approval : undefined
  const offered = choices.filter((one) => one !== 'approve' || state !== 'approved' || changed)
  const at = state === 'requested' ? approval.requestedAt : approval.decidedAt
  const by =
    state === 'requested' && approval.requestedByEmail ? ` by ${approval.requestedByEmail}` : ''
  return (
    <AppRow
      app={{ name: appName, accountName: developerName }}
      level={3}
      since={at !== null && [`, ${state}${by} on `, <Time at={at} />]}
      actions={
        <div class="choices">
          {offered.map((decision) => (
            <Action
              action={listPath}
              values={{
                app: appId,
                decision,
                ...(decision !== 'withdraw' && seenFields(approval)),
              }}
              look={decision === 'approve' ? undefined : 'plain'}
              confirms={decision === 'withdraw'}
            >
              <Label of={appName}>{capitalize(decision)}</Label>
            </Action>
          ))}
        </div>
      }
    >
      {changed && <Change asked={approval} approved={changed} />}
      <WantedScopes asked={approval} approved={changed} />
    </AppRow>
  )
}
