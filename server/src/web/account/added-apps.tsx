import {
  type AccountApp,
  listAccountApps,
  listAddedApps,
  removeAccountApp,
  removeAddedApp,
  type ShownApp,
} from '../../oauth/added-apps.ts'
import { isAdmin } from '../../platform/roles.ts'
import { PostForm } from '../ui/account.tsx'
import { Notice, Submit } from '../ui/fields.tsx'
import { Time } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { ScopeList } from '../ui/scopes.tsx'
import { signedInForm, signedInPage } from './handlers.ts'
import { goOn, noteOf, type PageRoute, show } from './page.ts'
import { formToken, type SignedInVisit } from './session.ts'

const listPath = '/my/apps'

const notes = {
  removed:
    'The app is removed. It has no access to your data any more, and if it is public it is told to delete what it has.',
  'removed-for-account':
    'The app is removed for the whole account. It has no access any more, and if it is public it is told to delete what it has of each person.',
}

const removalPurpose = (appId: string) => `remove ${appId}`
const accountRemovalPurpose = (appId: string) => `remove for the account ${appId}`

/** A form that takes an app's access away by `remove`, and notes `done` where it had any. */
const removal = (
  purposeOf: (appId: string) => string,
  remove: typeof removeAddedApp,
  done: keyof typeof notes,
) =>
  signedInForm(
    (form) => purposeOf(form.one('app')),
    async ({ ctx, visit, form }) => {
      const isRemoved = await remove(ctx, visit.session.user, form.one('app'))
      return goOn(isRemoved ? `${listPath}?done=${done}` : listPath)
    },
  )

/** The apps that a user has added. */
export const addedAppsPages: PageRoute[] = [
  {
    path: listPath,
    get: signedInPage(async ({ ctx, req, visit }) => {
      const { user } = visit.session
      const apps = await listAddedApps(ctx, user)
      const accountApps = isAdmin(user) ? await listAccountApps(ctx, user) : []
      return show(addedAppsPage(visit, { apps, accountApps, note: noteOf(req, notes) }))
    }),
  },
  { path: '/my/apps/remove', post: removal(removalPurpose, removeAddedApp, 'removed') },
  {
    path: '/my/apps/remove-for-account',
    post: removal(accountRemovalPurpose, removeAccountApp, 'removed-for-account'),
  },
]

interface Shown {
  apps: readonly ShownApp[]
  /** Apps with access to the whole account, for who may remove them for everybody. */
  accountApps: readonly AccountApp[]
  note: string | undefined
}

/** The apps that have access to a person's data, to take it away again. */
function addedAppsPage(visit: SignedInVisit, { apps, accountApps, note }: Shown) {
  return (
    <AccountPage title="Your apps" description="The apps that you have allowed." class="list stack">
      <header>
        <h1>Your apps</h1>
        <p class="lede">
          What you have allowed, and what each of them may do. When you remove a public app, it is
          told to delete your data.
        </p>
      </header>
      <Notice>{note}</Notice>
      {apps.length === 0 ? (
        <p class="empty muted">
          No app has access to your data. One that asks for it will be listed here once you allow
          it.
        </p>
      ) : (
        <ul class="rows">
          {apps.map((app) => (
            <li key={app.appId}>
              <div class="row-head">
                <div>
                  <h2 dir="auto">{app.name}</h2>
                  <p class="muted">
                    Made by <span dir="auto">{app.accountName}</span>
                    {app.waiting ? (
                      ', waiting for your device to connect'
                    ) : (
                      <>
                        , allowed on <Time at={app.since} />
                      </>
                    )}
                  </p>
                </div>
                <PostForm
                  action="/my/apps/remove"
                  token={formToken(visit, removalPurpose(app.appId))}
                  values={{ app: app.appId }}
                >
                  <Submit look="plain">
                    Remove<span class="hidden"> {app.name}</span>
                  </Submit>
                </PostForm>
              </div>
              <ScopeList scopes={app.scopes} />
            </li>
          ))}
        </ul>
      )}
      {accountApps.length > 0 && <AccountApps visit={visit} apps={accountApps} />}
    </AccountPage>
  )
}

interface AccountAppsProps {
  visit: SignedInVisit
  apps: readonly AccountApp[]
}

function AccountApps({ visit, apps }: AccountAppsProps) {
  return (
    <section aria-labelledby="account-apps">
      <h2 id="account-apps">Apps of the whole account</h2>
      <p class="muted">
        Admins have allowed these for everybody. Removing one takes its access to the whole account
        away, and a public one is told to delete the data.
      </p>
      <ul class="rows">
        {apps.map((app) => (
          <li key={app.appId}>
            <div class="row-head">
              <div>
                <h3 dir="auto">{app.name}</h3>
                <p class="muted">
                  Made by <span dir="auto">{app.accountName}</span>
                </p>
                {app.allowedBy.map(({ userId, email, since }) => (
                  <p key={userId} class="muted">
                    Allowed by {email} on <Time at={since} />
                  </p>
                ))}
              </div>
              <PostForm
                action="/my/apps/remove-for-account"
                token={formToken(visit, accountRemovalPurpose(app.appId))}
                values={{ app: app.appId }}
              >
                <Submit look="plain">
                  Remove for the account<span class="hidden">: {app.name}</span>
                </Submit>
              </PostForm>
            </div>
            <ScopeList scopes={app.scopes} />
          </li>
        ))}
      </ul>
    </section>
  )
}
