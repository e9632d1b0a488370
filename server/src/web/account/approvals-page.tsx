import { parseScopes } from '@skillpass/contract'
import type { ComponentChildren } from 'preact'
import { type AskedAccess, allOf, hasChanged, type NamedApproval } from '../../apps/approvals.ts'
import type { ApprovedAccess } from '../../oauth/refusals.ts'
import { describeScopes } from '../../oauth/scopes.ts'
import { PostForm } from '../ui/account.tsx'
import { More, Submit, Tick } from '../ui/fields.tsx'
import { Time } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { WantedScopes } from '../ui/scopes.tsx'
import { approvalPurpose, seenFields, settingPurpose } from './approval-form.ts'
import { asksFirst } from './question.tsx'
import { formToken, type SignedInVisit } from './session.ts'

export const listPath = '/my/approvals'

const labels = { approve: 'Approve', decline: 'Decline', withdraw: 'Withdraw' } as const
type Choice = keyof typeof labels

/** A part of the page: the states that stand there, and what may be decided. */
export interface Part {
  title: string
  states: readonly NamedApproval['state'][]
  /** What stands where there are no apps; absent where the part is left out then. */
  none?: string
  choices: readonly Choice[]
  hint?: string
}

/** What a button of an app says. */
export const labelOf = (choice: Choice, name: ComponentChildren) => (
  <>
    {labels[choice]}
    <span class="hidden"> {name}</span>
  </>
)

interface Setting {
  /** Whether people may use an app only once it is approved. */
  isRequired: boolean
  /** Whether that was just set. */
  isSaved: boolean
}

/** What an account's users have asked for, and what its admins have decided. */
export function approvalsPage(
  visit: SignedInVisit,
  shown: readonly PartProps[],
  { isRequired, isSaved }: Setting,
) {
  return (
    <AccountPage title="Approvals" class="list stack">
      <header>
        <h1>Approvals</h1>
        <p class="lede">The apps people in your account have asked for, and those they can use.</p>
      </header>
      {isSaved && (
        <p class="notice" role="status">
          {isRequired
            ? 'Saved. People can now allow only apps that are approved here.'
            : 'Saved. People can now allow apps without approval.'}
        </p>
      )}
      <PostForm
        action="/my/approvals/setting"
        token={formToken(visit, settingPurpose)}
        class="setting"
      >
        <Tick
          type="checkbox"
          name="required"
          value="on"
          label="Require approval before people can use an app"
          words="Apps that people have already allowed keep working."
          checked={isRequired}
        />
        <Submit look="plain">Save</Submit>
      </PostForm>
      {shown.map((part) => (
        <ApprovalsPart key={part.name} {...part} />
      ))}
    </AccountPage>
  )
}

export interface PartProps extends Part {
  name: string
  visit: SignedInVisit
  rows: readonly NamedApproval[]
  /** Address of the next page of this part, where there is more. */
  nextPath: string | undefined
}

function ApprovalsPart({ name, title, none, ...rows }: PartProps) {
  const isEmpty = rows.rows.length === 0
  if (isEmpty && none === undefined) return null
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      {isEmpty ? <p class="muted">{none}</p> : <Rows {...rows} />}
    </section>
  )
}

type RowsProps = Pick<PartProps, 'visit' | 'rows' | 'nextPath' | 'choices' | 'hint'>

function Rows({ visit, rows, nextPath, choices, hint }: RowsProps) {
  return (
    <>
      {hint && <p class="muted">{hint}</p>}
      <ul class="rows">
        {rows.map((row) => (
          <li key={row.appId}>
            <div class="row-head">
              <div>
                <h3 dir="auto">{row.appName}</h3>
                <p class="muted">
                  Made by <span dir="auto">{row.developerName}</span>
                  <Since row={row} />
                </p>
              </div>
              <Choices visit={visit} row={row} choices={choices} />
            </div>
            {hasChanged(row) && <Change asked={row} approved={row} />}
            <WantedScopes
              required={describeScopes(row.scopes)}
              optional={describeScopes(row.optionalScopes)}
              added={hasChanged(row) ? addedScopes(row, row) : []}
            />
          </li>
        ))}
      </ul>
      <More path={nextPath}>More</More>
    </>
  )
}

type ChoicesProps = Pick<PartProps, 'visit' | 'choices'> & { row: NamedApproval }

/** The buttons of one app; the one that ends access asks first. */
function Choices({ visit, row, choices }: ChoicesProps) {
  const token = formToken(visit, approvalPurpose(row.appId))
  const values = { app: row.appId, ...seenFields(row) }
  if (choices.includes('withdraw')) {
    return (
      <div class="choices">
        {hasChanged(row) && (
          <PostForm action={listPath} token={token} values={{ ...values, decision: 'approve' }}>
            <Submit>{labelOf('approve', row.appName)}</Submit>
          </PostForm>
        )}
        <PostForm action={listPath} token={token} values={{ app: row.appId, decision: 'withdraw' }}>
          <Submit look="plain" {...asksFirst}>
            {labelOf('withdraw', row.appName)}
          </Submit>
        </PostForm>
      </div>
    )
  }
  return (
    <PostForm action={listPath} token={token} values={values} class="choices">
      {choices.map((choice) => (
        <Submit
          key={choice}
          look={choice === 'approve' ? undefined : 'plain'}
          name="decision"
          value={choice}
        >
          {labelOf(choice, row.appName)}
        </Submit>
      ))}
    </PostForm>
  )
}

/** Scopes that an app asks for and no admin has approved. */
export function addedScopes(asked: AskedAccess, { approvedScopes }: ApprovedAccess): string[] {
  const approved = parseScopes(approvedScopes ?? '')
  return allOf(asked).scopes.filter((scope) => !approved.includes(scope))
}

/** What is new of an app that was approved; until an admin approves it again, nobody can allow that. */
export function Change({ asked, approved }: { asked: AskedAccess; approved: ApprovedAccess }) {
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
  const what = {
    requested: 'asked for',
    approved: 'approved',
    declined: 'declined',
    withdrawn: 'withdrawn',
  }
  return (
    <>
      , {what[row.state]}
      {who} on <Time at={at} />
    </>
  )
}
