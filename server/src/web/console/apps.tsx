import { managerOf } from '../../oauth/apps/app-manager.ts'
import { listManagedApps } from '../../oauth/apps/apps.ts'
import { findLastCalls } from '../../oauth/apps/calls.ts'
import { readQuery, type SignedIn, show, signedIn } from '../account/page.ts'
import { AccountPage } from '../ui/account.tsx'
import { Done, More } from '../ui/fields.tsx'
import { Section, Time } from '../ui/parts.tsx'
import { AppBadges, appPath } from './app.tsx'
import { auditPath } from './audit.tsx'

const pageSize = 50

export const appsPages = {
  '/console': { get: signedIn(async (exchange) => show(await appsPage(exchange))) },
}

async function appsPage({ ctx, req, session: { user } }: SignedIn) {
  const manager = managerOf(user)
  const request = { limit: pageSize, after: readQuery(req, 'after') }
  const { items, total, nextPageToken } = await listManagedApps(ctx, manager, request)
  const ids = items.map(({ id }) => id)
  const lastCalls = await findLastCalls(ctx, ids)
  const readsAudit = user.role === 'owner'
  return (
    <AccountPage title="Developer console" class="console stack">
      <header class="row-head">
        <div>
          <h1>Developer console</h1>
          <p class="lede">
            {manager.managesAllApps ? 'The apps your account develops.' : 'The apps you develop.'}
          </p>
        </div>
        {(total > 0 || readsAudit) && (
          <p class="choices">
            {readsAudit && (
              <a class="button plain" href={auditPath}>
                Audit log
              </a>
            )}
            {total > 0 && registerLink}
          </p>
        )}
      </header>
      <Done notes={{ deleted: 'The app is deleted.' }} />
      {total === 0 ? (
        <Section id="start" title="Register your first app" class="start">
          <p>
            An app gets a client ID, a secret and the scopes you choose. It uses them to ask people
            for access, or to work on your own account without a user. Nobody outside your account
            can use it until you make it public.
          </p>
          <p>{registerLink}</p>
        </Section>
      ) : (
        <ul class="rows">
          {items.map((app) => (
            <li class="row-head">
              <div>
                <h2>
                  <a href={appPath(app.id)} dir="auto">
                    {app.name}
                  </a>
                </h2>
                <p class="muted">
                  Client ID <span class="mono">{app.production.clientId}</span>
                </p>
                <p class="muted">
                  {lastCalls.has(app.id) ? 'Last call on ' : 'No calls yet. Registered on '}
                  <Time at={lastCalls.get(app.id) ?? app.createdAt} />
                </p>
              </div>
              <AppBadges app={app} />
            </li>
          ))}
        </ul>
      )}
      <More path={nextPageToken && `/console?after=${nextPageToken}`}>More apps</More>
    </AccountPage>
  )
}

const registerLink = (
  <a class="button" href="/console/new">
    Register an app
  </a>
)
