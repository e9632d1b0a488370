import { developerOf } from '../../apps/developer.ts'
import { listManagedApps, type ManagedApp } from '../../apps/managed-apps.ts'
import { signedInPage } from '../account/handlers.ts'
import { type PageRoute, readQuery, show } from '../account/page.ts'
import { More } from '../ui/fields.tsx'
import { Time } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { auditPath } from './audit.tsx'
import { AppBadges, appPath } from './layout.tsx'

const pageSize = 50

/** The developer console: the apps, and the way to a new one. */
export const appsPages: PageRoute[] = [
  {
    path: '/console',
    get: signedInPage(async ({ ctx, req, visit }) => {
      const { user } = visit.session
      const developer = developerOf(user)
      const after = readQuery(req, 'after')
      const page = await listManagedApps(ctx, developer, { limit: pageSize, after })
      const data = {
        ...page,
        nextPath: page.nextPageToken && `/console?after=${page.nextPageToken}`,
        seesAll: developer.seesAll,
        auditPath: user.role === 'owner' ? auditPath : undefined,
      }
      return show(listPage(data))
    }),
  },
]

interface Shown {
  items: readonly ManagedApp[]
  total: number
  /** Address of the next page, where there are more. */
  nextPath?: string | undefined
  /** Whether all apps of the account are listed, not only the viewer's own. */
  seesAll: boolean
  /** Address of the account's audit log, where the viewer may read it. */
  auditPath?: string | undefined
}

function listPage({ items, total, nextPath, seesAll, auditPath }: Shown) {
  return (
    <AccountPage title="Developer console" class="console stack">
      <header class="row-head">
        <div>
          <h1>Developer console</h1>
          <p class="lede">
            {seesAll ? 'The apps your account develops.' : 'The apps you develop.'}
          </p>
        </div>
        {(total > 0 || auditPath) && (
          <p class="choices">
            {auditPath && (
              <a class="button plain" href={auditPath}>
                Audit log
              </a>
            )}
            {total > 0 && <RegisterLink />}
          </p>
        )}
      </header>
      {total === 0 ? (
        <section class="start" aria-labelledby="start">
          <h2 id="start">Register your first app</h2>
          <p>
            An app gets a client ID, a secret and the scopes you choose. With them it asks people
            for access, or works on your own account by itself. Nobody outside your account can use
            it until you make it public.
          </p>
          <p>
            <RegisterLink />
          </p>
        </section>
      ) : (
        <ul class="rows">
          {items.map((app) => (
            <li key={app.id} class="row-head">
              <div>
                <h2>
                  <a href={appPath(app.id)} dir="auto">
                    {app.name}
                  </a>
                </h2>
                <p class="muted">
                  Registered on <Time at={app.createdAt} />
                </p>
              </div>
              <p class="badges">
                <AppBadges app={app} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <More path={nextPath}>More apps</More>
    </AccountPage>
  )
}

const RegisterLink = () => (
  <a class="button" href="/console/new">
    Register an app
  </a>
)
