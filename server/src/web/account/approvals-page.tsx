import { parseScopes } from '@skillpass/contract'
import {
  hasChanged,
  type NamedApproval,
  type RequestedAccess,
  requestedAppOf,
} from '../../apps/approvals.ts'
import type { ApprovedAccess } from '../../oauth/refusals.ts'
import { describeScopes } from '../../oauth/scopes.ts'
import { Action, AppRow, Label, PostForm } from '../ui/account.tsx'
import { Done, More, Submit, Tick } from '../ui/fields.tsx'
import { capitalize, Time } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { Section } from '../ui/parts.tsx'
import { WantedScopes } from '../ui/scopes.tsx'
import type { Form } from './form.ts'

export const listPath = '/my/approvals'

/** Form fields that record the name and scopes that the admin sees when approving an app. */
export const seenFields = (asked: RequestedAccess) => {
  const { name, scopes } = requestedAppOf(asked)
  return { name, scopes: scopes.join(' ') }
}

/** Reads the fields of `seenFields`; empty if the form carries none. */
export const readSeen = (form: Form) =>
  form.one('name') === '' ? {} : { name: form.one('name'), scopes: parseScopes(form.one('scopes')) }

/** The new state of an approval, by decision. */
export const decisions = {
  approve: 'approved',
  decline: 'declined',
  withdraw: 'withdrawn',
} as const

/** A section of the page: the approval states it lists and the decisions it offers. */
interface Part {
  name: string
  title: string
  states: readonly NamedApproval['state'][]
  /** Text of the empty section. Without it, an empty section is not shown. */
  none?: string
  choices: readonly (keyof typeof decisions)[]
  hint?: string
}

export const parts: readonly Part[] = [
  {
    name: 'requests',
    title: 'Requests',
    states: ['requested'],
    none: 'No pending requests',
    choices: ['approve', 'decline'],
  },
  {
    name: 'approved',
    title: 'Approved',
    states: ['approved'],
    none: 'No approved apps yet',
    choices: ['approve', 'withdraw'],
    hint: 'If you withdraw an approval, everyone in the account loses the app at once.',
  },
  {
    name: 'refused',
    title: 'Declined and withdrawn',
    states: ['declined', 'withdrawn'],
    choices: ['approve'],
  },
]

export interface ShownPart extends Part {
  rows: readonly NamedApproval[]
  /** Path of the next page of this section, if there is one. */
  nextPath: string | undefined
}

/** The account's approval requests and decisions. */
export function approvalsPage(shown: readonly ShownPart[], isRequired: boolean) {
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
        <Tick
          type="checkbox"
          name="required"
          value="on"
          label="Require approval before people can use an app"
          description="Apps that people have already allowed keep working."
          checked={isRequired}
        />
        <Submit look="plain">Save</Submit>
      </PostForm>
      {shown.map(
        (part) =>
          (part.rows.length > 0 || part.none) && (
            <Section id={part.name} title={part.title}>
              {part.rows.length === 0 ? <p class="muted">{part.none}</p> : <Rows {...part} />}
            </Section>
          ),
      )}
    </AccountPage>
  )
}

const Rows = ({ rows, nextPath, choices, hint }: ShownPart) => (
  <>
    {hint && <p class="muted">{hint}</p>}
    <ul class="rows">
      {rows.map((row) => (
        <AppRow
          app={{ name: row.appName, accountName: row.developerName }}
          level={3}
          since={<Since row={row} />}
          actions={<Choices row={row} choices={choices} />}
        >
          {hasChanged(row) && <Change asked={row} approved={row} />}
          <WantedScopes
            required={describeScopes(row.scopes)}
            optional={describeScopes(row.optionalScopes)}
            added={hasChanged(row) ? addedScopes(row, row) : []}
          />
        </AppRow>
      ))}
    </ul>
    <More path={nextPath}>More</More>
  </>
)

/** The buttons of one app. Approve sends what the admin sees; Withdraw asks for confirmation. */
function Choices({ row, choices }: { row: NamedApproval } & Pick<Part, 'choices'>) {
  const isApproved = row.state === 'approved' && !hasChanged(row)
  const offered = choices.filter((choice) => choice !== 'approve' || !isApproved)
  return (
    <div class="choices">
      {offered.map((decision) => (
        <Action
          action={listPath}
          values={{ app: row.appId, decision, ...(decision !== 'withdraw' && seenFields(row)) }}
          look={decision === 'approve' ? undefined : 'plain'}
          confirms={decision === 'withdraw'}
        >
          <Label of={row.appName}>{capitalize(decision)}</Label>
        </Action>
      ))}
    </div>
  )
}

/** Scopes that an app requests and no admin has approved. */
export function addedScopes(asked: RequestedAccess, { approvedScopes }: ApprovedAccess): string[] {
  const approved = parseScopes(approvedScopes ?? '')
  return requestedAppOf(asked).scopes.filter((scope) => !approved.includes(scope))
}

/** Notice about an approved app that changed; nobody can allow the changes until it is approved again. */
export function Change({ asked, approved }: { asked: RequestedAccess; approved: ApprovedAccess }) {
  const added = addedScopes(asked, approved)
  return (
    <p class="notice">
      Changed since it was approved
      {approved.approvedName !== asked.appName && (
        <>
          {' '}
          as <span dir="auto">{approved.approvedName}</span>
        </>
      )}
      {added.length > 0 && `; new: ${added.join(', ')}`}.
    </p>
  )
}

function Since({ row }: { row: NamedApproval }) {
  const asked = row.state === 'requested'
  const at = asked ? row.requestedAt : row.decidedAt
  if (at === null) return null
  const who = asked && row.requestedByEmail ? ` by ${row.requestedByEmail}` : ''
  return (
    <>
      , {asked ? 'requested' : row.state}
      {who} on <Time at={at} />
    </>
  )
}
