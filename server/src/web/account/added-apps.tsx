import type { ComponentChildren } from 'preact'
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
import { askFirst, asksFirst, type Question } from './question.tsx'
import { formToken, type SignedInVisit } from './session.ts'

const listPath = '/my/apps'

const notes = {
  removed:
    'The app is removed. It can no longer see your data. Public apps are told to delete what they have.',
  'removed-for-account':
    'The app is removed for the whole account. Public apps are told to delete what they have about each person.',
}

const removalPurpose = (appId: string) => `remove ${appId}`
const accountRemovalPurpose = (appId: string) => `remove for the account ${appId}`

/** A form that takes an app's access away. */
interface Removal {
  purposeOf: (appId: string) => string
  list: typeof listAddedApps | typeof listAccountApps
  remove: typeof removeAddedApp
  /** What is noted where the app had access. */
  done: keyof typeof notes
  question: (name: ComponentChildren) => Pick<Question, 'title' | 'words' | 'button'>
}

const removal = ({ purposeOf, list, remove, done, question }: Removal) =>
  signedInForm(
    (form) => purposeOf(form.one('app')),
    askFirst(
      async ({ ctx, visit, form }) => {
        const appId = form.one('app')
        const app = (await list(ctx, visit.session.user)).find((one) => one.appId === appId)
        const name = app && <span dir="auto">{app.name}</span>
        return name && { ...question(name), values: { app: appId }, back: listPath }
      },
      async ({ ctx, visit, form }) => {
        const isRemoved = await remove(ctx, visit.session.user, form.one('app'))
        return goOn(isRemoved ? `${listPath}?done=${done}` : listPath)
      },
    ),
  )

const removeLabel = (name: ComponentChildren) => (
  <>
    Remove<span class="hidden"> {name}</span>
  </>
)

const removeForAccountLabel = (name: ComponentChildren) => (
  <>
    Remove for the account<span class="hidden">: {name}</span>
  </>
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
  {
    path: '/my/apps/remove',
    post: removal({
      purposeOf: removalPurpose,
      list: listAddedApps,
      remove: removeAddedApp,
      done: 'removed',
      question: (name) => ({
        title: <>Remove {name}?</>,
        words: 'It loses access to your data at once. A public app is told to delete what it has.',
        button: removeLabel(name),
      }),
    }),
  },
  {
    path: '/my/apps/remove-for-account',
    post: removal({
      purposeOf: accountRemovalPurpose,
      list: listAccountApps,
      remove: removeAccountApp,
      done: 'removed-for-account',
      question: (name) => ({
        title: <>Remove {name} for the whole account?</>,
        words:
          'It loses access to the data of everyone in the account at once. A public app is told to delete what it has.',
        button: removeForAccountLabel(name),
      }),
    }),
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
    <AccountPage title="Your apps" class="list stack">
      <header>
        <h1>Your apps</h1>
        <p class="lede">
          The apps you have allowed, and what each may do. When you remove a public app, it is told
          to delete your data.
        </p>
      </header>
      <Notice>{note}</Notice>
      {apps.length === 0 ? (
        <p class="empty muted">
          No app has access to your data. Apps appear here as soon as you allow them.
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
                      ', allowed, waiting for your device to connect'
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
                  <Submit look="plain" {...asksFirst}>
                    {removeLabel(app.name)}
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

function AccountApps({ visit, apps }: { visit: SignedInVisit; apps: readonly AccountApp[] }) {
  return (
    <section aria-labelledby="account-apps">
      <h2 id="account-apps">Apps of the whole account</h2>
      <p class="muted">
        Admins have allowed these for everybody. Removing one ends its access to the whole account,
        and a public app is told to delete the data.
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
                <Submit look="plain" {...asksFirst}>
                  {removeForAccountLabel(app.name)}
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
