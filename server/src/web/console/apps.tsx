import { listManagedApps } from '../../apps/apps.ts'
import { developerOf } from '../../apps/developer.ts'
import { type PageRoutes, readQuery, show, signedIn } from '../account/page.ts'
import { More } from '../ui/fields.tsx'
import { Time } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { auditPath } from './audit.tsx'
import { AppBadges, appPath } from './layout.tsx'

const pageSize = 50

export const appsPages: PageRoutes = {
  '/console': {
    get: signedIn(async ({ ctx, req, session }) => {
      const developer = developerOf(session.user)
      const after = readQuery(req, 'after')
      const page = await listManagedApps(ctx, developer, { limit: pageSize, after })
      const { items, total, nextPageToken } = page
      const readsAudit = session.user.role === 'owner'
      return show(
        <AccountPage title="Developer console" class="console stack">
          <header class="row-head">
            <div>
              <h1>Developer console</h1>
              <p class="lede">
                {developer.managesAllApps
                  ? 'The apps your account develops.'
                  : 'The apps you develop.'}
              </p>
            </div>
            {(total > 0 || readsAudit) && (
              <p class="choices">
                {readsAudit && (
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
                An app gets a client ID, a secret and the scopes you choose. It uses them to ask
                people for access, or to work on your own account without a user. Nobody outside
                your account can use it until you make it public.
              </p>
              <p>
                <RegisterLink />
              </p>
            </section>
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
          <More path={nextPageToken && `/console?after=${nextPageToken}`}>More apps</More>
        </AccountPage>,
      )
    }),
  },
}

const RegisterLink = () => (
  <a class="button" href="/console/new">
    Register an app
  </a>
)
