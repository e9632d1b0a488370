import type { ShownApp } from '../../oauth/added-apps.ts'
import { PostForm, type Viewer } from '../ui/account.tsx'
import { Time } from '../ui/format.tsx'
import { Page, renderPage } from '../ui/layout.tsx'
import { ScopeList } from '../ui/scopes.tsx'

export interface AddedAppsPageData {
  apps: (ShownApp & { token: string })[]
  viewer: Viewer
  /** Whether the person has just removed one. */
  isRemoved?: boolean
}

/** The apps that have access to a person's data, to take it away again. */
export function renderAddedAppsPage({ apps, viewer, isRemoved }: AddedAppsPageData): string {
  return renderPage(
    <Page
      title="Your apps"
      description="The apps that you have allowed."
      indexed={false}
      account={{ viewer }}
    >
      <div class="list stack">
        <header>
          <h1>Your apps</h1>
          <p class="lede">What you have allowed, and what each of them may do.</p>
        </header>
        {isRemoved && (
          <p class="notice" role="status">
            The app is removed. It has no access to your data any more.
          </p>
        )}
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
                      <Time at={new Date(app.since).toISOString()} />
                    </p>
                  </div>
                  <PostForm action="/my/apps/remove" token={app.token} values={{ app: app.appId }}>
                    <button class="button plain" type="submit">
                      Remove<span class="hidden"> {app.name}</span>
                    </button>
                  </PostForm>
                </div>
                <ScopeList scopes={app.scopes} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>,
  )
}
