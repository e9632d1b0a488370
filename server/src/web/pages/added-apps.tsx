import type { AccountApp, ShownApp } from '../../oauth/added-apps.ts'
import { PostForm, type Viewer } from '../ui/account.tsx'
import { Notice, Submit } from '../ui/fields.tsx'
import { Time } from '../ui/format.tsx'
import { AccountPage, renderPage } from '../ui/layout.tsx'
import { ScopeList } from '../ui/scopes.tsx'

export interface AddedAppsPageData {
  apps: (ShownApp & { token: string })[]
  /** Apps with access to the whole account, for who may remove them for everybody. */
  accountApps?: (AccountApp & { token: string })[] | undefined
  viewer: Viewer
  /** What was just done. */
  note?: string | undefined
}

/** The apps that have access to a person's data, to take it away again. */
export function renderAddedAppsPage(data: AddedAppsPageData): string {
  const { apps, accountApps = [], viewer, note } = data
  return renderPage(
    <AccountPage
      title="Your apps"
      description="The apps that you have allowed."
      class="list stack"
      viewer={viewer}
    >
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
                    Made by <span dir="auto">{app.accountName}</span>, allowed on{' '}
                    <Time at={app.since} />
                  </p>
                </div>
                <PostForm action="/my/apps/remove" token={app.token} values={{ app: app.appId }}>
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
      {accountApps.length > 0 && <AccountApps apps={accountApps} />}
    </AccountPage>,
  )
}

function AccountApps({ apps }: { apps: (AccountApp & { token: string })[] }) {
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
                token={app.token}
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
