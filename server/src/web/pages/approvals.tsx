import type { NamedApproval } from '../../oauth/store/approvals.ts'
import { PostForm, type Viewer } from '../ui/account.tsx'
import { Time } from '../ui/format.tsx'
import { Page, renderPage } from '../ui/layout.tsx'

type Row = NamedApproval & { token: string }

export interface ApprovalsPageData {
  approvals: Row[]
  viewer: Viewer
}

/** What an account's users have asked for, and what its admins have decided. */
export function renderApprovalsPage({ approvals, viewer }: ApprovalsPageData): string {
  const requested = approvals.filter(({ state }) => state === 'requested')
  const approved = approvals.filter(({ state }) => state === 'approved')
  const refused = approvals.filter(({ state }) => state === 'declined' || state === 'withdrawn')
  return renderPage(
    <Page
      title="Approvals"
      description="The apps that the users of your account may use."
      indexed={false}
      account={{ viewer }}
    >
      <div class="list stack">
        <header>
          <h1>Approvals</h1>
          <p class="lede">The apps that people in your account asked for and those they may use.</p>
        </header>
        <section aria-labelledby="requests">
          <h2 id="requests">Requests</h2>
          <Rows
            rows={requested}
            none="Nobody waits for an app."
            choices={[
              ['approve', 'Approve'],
              ['decline', 'Decline'],
            ]}
          />
        </section>
        <section aria-labelledby="approved">
          <h2 id="approved">Approved</h2>
          <Rows
            rows={approved}
            none="No app is approved yet."
            choices={[['withdraw', 'Withdraw']]}
            hint="Withdrawing ends the access of everyone in the account at once."
          />
        </section>
        {refused.length > 0 && (
          <section aria-labelledby="refused">
            <h2 id="refused">Declined and withdrawn</h2>
            <Rows rows={refused} none="" choices={[['approve', 'Approve']]} />
          </section>
        )}
      </div>
    </Page>,
  )
}

interface RowsProps {
  rows: Row[]
  /** What stands where there are none. */
  none: string
  choices: [decision: string, label: string][]
  hint?: string
}

function Rows({ rows, none, choices, hint }: RowsProps) {
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
      {who} on <Time at={new Date(at).toISOString()} />
    </>
  )
}
