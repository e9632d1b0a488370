import { listAccountAudit, type NamedEntry } from '../../audit/list.ts'
import type { AuditAction } from '../../audit/record.ts'
import { readQuery, show, signedIn } from '../account/page.ts'
import { counted, Minute } from '../ui/parts.tsx'
import { ConsolePage } from './app.tsx'

const pageSize = 50

export const auditPath = '/console/audit'

/** The audit log of an account, for its owner. */
export const auditPages = {
  [auditPath]: {
    get: signedIn(async ({ ctx, req, session }) => {
      const after = readQuery(req, 'after')
      const isFirst = after === ''
      const page = await listAccountAudit(ctx, session.user, { after, limit: pageSize })
      const { items, nextPageToken } = page
      return show(
        <ConsolePage
          title="Audit log · Developer console"
          heading={<h1>Audit log</h1>}
          lede="What people and apps did in your account. Only the account’s owner sees this page."
        >
          {items.length === 0 ? (
            <p class="muted">{isFirst ? 'No entries yet' : 'No older entries'}</p>
          ) : (
            <ol class="rows" reversed>
              {items.map((entry) => (
                <Entry {...entry} />
              ))}
            </ol>
          )}
          {(nextPageToken || !isFirst) && (
            <p class="pager">
              <span>{!isFirst && <a href={auditPath}>Newest entries</a>}</span>
              <span>
                {nextPageToken && <a href={`${auditPath}?after=${nextPageToken}`}>Older entries</a>}
              </span>
            </p>
          )}
        </ConsolePage>,
      )
    }),
  },
}

/** Titles of the actions that occur within an account. */
const titles: Readonly<Record<string, string>> = {
  'sign-in': 'Signed in',
  'sign-in.failed': 'Failed to sign in',
  'consent.allowed': 'Allowed an app',
  'consent.denied': 'Denied an app',
  'device.allowed': 'Allowed a device',
  'device.denied': 'Denied a device',
  'approval.requested': 'Requested an app',
  'approval.approved': 'Approved an app for the account',
  'approval.declined': 'Declined an app for the account',
  'approval.withdrawn': 'Withdrew the approval of an app',
  'approval-setting.enabled': 'Turned on approval of apps',
  'approval-setting.disabled': 'Turned off approval of apps',
  'app.registered': 'Registered an app',
  'app.changed': 'Changed an app',
  'app.deleted': 'Deleted an app',
  'app.disabled': 'Disabled an app',
  'app.enabled': 'Enabled an app',
  'app.removed': 'Removed an app from their apps',
  'app.removed-for-account': 'Removed an app for the account',
  'client-secret.rotated': 'Rotated a client secret',
  'webhook-secret.rotated': 'Rotated a webhook secret token',
  'tokens.revoked': 'Ended the access of apps',
  'account.created': 'Created the account',
  'user.created': 'Added a user',
  'user.changed': 'Changed a user',
  'user.disabled': 'Disabled a user',
  'user.enabled': 'Enabled a user',
  'user.removed': 'Removed a user',
} satisfies { [A in AuditAction]?: string }

const fields: Readonly<Record<string, string>> = {
  deviceFlow: 'use on devices',
  publicClient: 'public client',
  requireS256: 'PKCE with S256',
  deauthorizationUrl: 'deauthorization endpoint',
  optionalScopes: 'optional scopes',
  redirectUris: 'redirect addresses',
}

/** Formats a note. For `app.changed` it lists changed fields, such as `production.redirectUris`. */
function noteOf(action: string, note: string): string {
  if (action !== 'app.changed') return note
  const changed = note.split(', ').map((path) => {
    const [first = '', second] = path.split('.')
    const field = second ?? first
    return (second ? `${first} ` : '') + (fields[field] ?? field)
  })
  return `changed ${changed.join(', ')}`
}

function Entry(entry: NamedEntry) {
  const { action, whoKind, who, whoName, whom, whomName, network, note, count, at } = entry
  const isOperator = whoKind === 'operator'
  const name = isOperator ? 'the operator of this service' : (whoName ?? who)
  return (
    <li class="row-head">
      <div>
        <h2>
          {titles[action] ?? action}
          {whom !== null && [': ', <span dir="auto">{whomName ?? whom}</span>]}
        </h2>
        <p class="muted">
          {whoKind === 'unknown'
            ? counted(count, 'attempt')
            : ['By ', <span dir="auto">{name}</span>]}
          {note !== null && !isOperator && `, ${noteOf(action, note)}`}
        </p>
      </div>
      <p class="muted">
        <Minute at={at} />
        {network !== null && [<br />, <span class="mono">{network}</span>]}
      </p>
    </li>
  )
}
