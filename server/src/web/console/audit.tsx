import { listAccountAudit, type NamedEntry } from '../../audit/list.ts'
import type { AuditAction } from '../../audit/record.ts'
import { readQuery, show, signedIn } from '../account/page.ts'
import { Submit } from '../ui/fields.tsx'
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
      const [action, who] = [readQuery(req, 'action'), readQuery(req, 'who')]
      const filter = { action: action || undefined, who: who.trim() || undefined }
      const request = { after, limit: pageSize }
      const { items, nextPageToken } = await listAccountAudit(ctx, session.user, request, filter)
      const pathOf = (more: Record<string, string>) =>
        `${auditPath}?${new URLSearchParams({ ...(action && { action }), ...(who && { who }), ...more })}`
      return show(
        <ConsolePage
          title="Audit log · Developer console"
          heading={<h1>Audit log</h1>}
          lede="What people and apps did in your account. Only the account’s owner sees this page."
        >
          <form action={auditPath} method="get" class="choosing">
            <label for="action">Action</label>
            <select id="action" name="action">
              <option value="">Any</option>
              {Object.entries(titles).map(([value, title]) => (
                <option value={value} selected={value === action}>
                  {title}
                </option>
              ))}
            </select>
            <label for="who">Person or app</label>
            <input id="who" name="who" value={who} placeholder="Email or name" />
            <Submit look="plain">Filter</Submit>
          </form>
          {items.length === 0 ? (
            <p class="muted">{action || who ? 'No such entries' : 'No entries yet'}</p>
          ) : (
            <ol class="rows" reversed>
              {items.map(Entry)}
            </ol>
          )}
          {(nextPageToken || !isFirst) && (
            <p class="pager">
              <span>{!isFirst && <a href={pathOf({})}>Newest entries</a>}</span>
              <span>
                {nextPageToken && <a href={pathOf({ after: nextPageToken })}>Older entries</a>}
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

/** Formats a note. For `app.changed` it lists changed fields, such as `production.redirect_uris`. */
const noteOf = (action: string, note: string): string =>
  action === 'app.changed'
    ? `changed ${note
        .replace(/[._]/g, ' ')
        .replace(/\buris\b/g, 'addresses')
        .replace(/\burl\b/g, 'address')}`
    : note

/** A party of the entry, as a link to all its entries. */
const Party = ({ id, name }: { id: string; name: string | null }) => (
  <a href={`${auditPath}?who=${encodeURIComponent(id)}`} dir="auto">
    {(name ?? id).replace(/ \(deleted [\dTZ.:-]+\)$/, ' (deleted)')}
  </a>
)

function Entry(entry: NamedEntry) {
  const { action, whoKind, who, whoName, whom, whomName, network, note, count, at } = entry
  const isOperator = whoKind === 'operator'
  return (
    <li class="row-head">
      <div>
        <h2>
          {titles[action] ?? action}
          {whom !== null && [': ', <Party id={whom} name={whomName} />]}
        </h2>
        <p class="muted">
          {whoKind === 'unknown'
            ? counted(count, 'attempt')
            : [
                'By ',
                isOperator ? (
                  'the operator of this service'
                ) : (
                  <Party id={who ?? ''} name={whoName} />
                ),
              ]}
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
