import type { NamedApproval } from '../../oauth/approvals.ts'
import { PostForm, type Viewer } from '../ui/account.tsx'
import { More, Submit, Tick } from '../ui/fields.tsx'
import { Time } from '../ui/format.tsx'
import { AccountPage, renderPage } from '../ui/layout.tsx'

type Row = NamedApproval & { token: string }

interface Section {
  rows: Row[]
  /** Address of the next page of this part, where there is more. */
  nextPath?: string | undefined
}

export interface ApprovalsPageData {
  /** Absent where the address asks for another part of the page alone. */
  requests?: Section | undefined
  approved?: Section | undefined
  refused?: Section | undefined
  /** Whether people may use an app only once it is approved. */
  isRequired: boolean
  /** Whether that was just set. */
  isSaved?: boolean
  settingToken: string
  viewer: Viewer
}

/** What an account's users have asked for, and what its admins have decided. */
export function renderApprovalsPage(data: ApprovalsPageData): string {
  const { requests, approved, refused, isRequired, isSaved, settingToken, viewer } = data
  return renderPage(
    <AccountPage
      title="Approvals"
      description="The apps that the users of your account may use."
      class="list stack"
      viewer={viewer}
    >
      <header>
        <h1>Approvals</h1>
        <p class="lede">The apps that people in your account asked for and those they may use.</p>
      </header>
      {isSaved && (
        <p class="notice" role="status">
          {isRequired
            ? 'From now on people can allow only apps that are approved here.'
            : 'From now on people can allow apps without approval.'}
        </p>
      )}
      <PostForm action="/my/approvals/setting" token={settingToken} class="setting">
        <Tick
          type="checkbox"
          name="required"
          value="on"
          label="Ask for approval before people use an app"
          words="What people have allowed already stays as it is."
          checked={isRequired}
        />
        <Submit look="plain">Save</Submit>
      </PostForm>
      {requests && (
        <section aria-labelledby="requests">
          <h2 id="requests">Requests</h2>
          <Rows
            {...requests}
            none="Nobody waits for an app."
            choices={[
              ['approve', 'Approve'],
              ['decline', 'Decline'],
            ]}
          />
        </section>
      )}
      {approved && (
        <section aria-labelledby="approved">
          <h2 id="approved">Approved</h2>
          <Rows
            {...approved}
            none="No app is approved yet."
            choices={[['withdraw', 'Withdraw']]}
            hint="Withdrawing ends the access of everyone in the account at once."
          />
        </section>
      )}
      {refused && refused.rows.length > 0 && (
        <section aria-labelledby="refused">
          <h2 id="refused">Declined and withdrawn</h2>
          <Rows {...refused} none="" choices={[['approve', 'Approve']]} />
        </section>
      )}
    </AccountPage>,
  )
}

interface RowsProps extends Section {
  /** What stands where there are none. */
  none: string
  choices: [decision: string, label: string][]
  hint?: string
}

function Rows({ rows, nextPath, none, choices, hint }: RowsProps) {
  if (rows.length === 0) return <p class="muted">{none}</p>
  return (
    <>
      {hint && <p class="muted">{hint}</p>}
      <ul class="rows">
        {rows.map((row) => (
          <li key={row.appId} class="row-head">
            <div>
              <h3 dir="auto">{row.appName}</h3>
              <p class="muted">
                Made by <span dir="auto">{row.developerName}</span>
                <Since row={row} />
              </p>
            </div>
            <PostForm
              action="/my/approvals"
              token={row.token}
              values={{ app: row.appId }}
              class="choices"
            >
              {choices.map(([decision, label], index) => (
                <button
                  key={decision}
                  class={index === 0 && decision === 'approve' ? 'button' : 'button plain'}
                  type="submit"
                  name="decision"
                  value={decision}
                >
                  {label}
                  <span class="hidden"> {row.appName}</span>
                </button>
              ))}
            </PostForm>
          </li>
        ))}
      </ul>
      <More path={nextPath}>More</More>
    </>
  )
}

function Since({ row }: { row: Row }) {
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
