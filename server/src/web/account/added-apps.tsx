import type { ComponentChildren } from 'preact'
import {
  type AccountApp,
  type AddedApp,
  listAccountApps,
  listAddedApps,
  removeAccountApp,
  removeAddedApp,
} from '../../oauth/added-apps.ts'
import { isAdmin } from '../../platform/bearer.ts'
import { Action, type AppDetails, AppRow, Label } from '../ui/account.tsx'
import { Done } from '../ui/fields.tsx'
import { Time } from '../ui/format.tsx'
import { AccountPage } from '../ui/layout.tsx'
import { Section } from '../ui/parts.tsx'
import { ScopeList } from '../ui/scopes.tsx'
import { askToConfirm, needsConfirmation } from './confirmation.tsx'
import { type Handler, type PageRoutes, redirect, show, signedIn } from './page.ts'

const listPath = '/my/apps'

/** The two ways to remove an app, by button label. */
const removals = {
  Remove: {
    path: '/my/apps/remove',
    list: listAddedApps,
    remove: removeAddedApp,
    done: 'removed',
    title: (name: ComponentChildren) => <>Remove {name}?</>,
    text: 'The app loses access to your data immediately. If it is public, it is asked to delete your data.',
  },
  'Remove for the account': {
    path: '/my/apps/remove-for-account',
    list: listAccountApps,
    remove: removeAccountApp,
    done: 'removed-for-account',
    title: (name: ComponentChildren) => <>Remove {name} for the whole account?</>,
    text: 'The app loses access to the data of everyone in the account immediately. If it is public, it is asked to delete that data.',
  },
} as const

type Removal = keyof typeof removals

const notes = {
  removed:
    'The app is removed. It can no longer access your data. Public apps are asked to delete your data.',
  'removed-for-account':
    'The app is removed for the whole account. Public apps are asked to delete each person’s data.',
}

function removalForm(removal: Removal): Handler {
  const { list, remove, done, title, text } = removals[removal]
  return signedIn(async ({ ctx, req, session: { user }, form }) => {
    const appId = form.one('app')
    const app =
      needsConfirmation(form) && (await list(ctx, user)).find((one) => one.appId === appId)
    if (app) {
      const name = <span dir="auto">{app.name}</span>
      const button = <Label of={name}>{removal}</Label>
      return askToConfirm(req, {
        title: title(name),
        text,
        button,
        values: { app: appId },
        back: listPath,
      })
    }
    const isRemoved = await remove(ctx, user, appId)
    return redirect(isRemoved ? `${listPath}?done=${done}` : listPath)
  })
}

export const addedAppsPages: PageRoutes = {
  [listPath]: {
    get: signedIn(async ({ ctx, session: { user } }) => {
      const apps = await listAddedApps(ctx, user)
      const accountApps = isAdmin(user) ? await listAccountApps(ctx, user) : []
      return show(addedAppsPage(apps, accountApps))
    }),
  },
  [removals.Remove.path]: { post: removalForm('Remove') },
  [removals['Remove for the account'].path]: { post: removalForm('Remove for the account') },
}

/** The apps of a user and, for admins, those with access to the whole account. */
function addedAppsPage(apps: readonly AddedApp[], accountApps: readonly AccountApp[]) {
  const row = (removal: Removal, app: AddedApp | AccountApp, said: AppDetails) => (
    <AppRow
      app={app}
      level={removal === 'Remove' ? 2 : 3}
      {...said}
      actions={
        <Action action={removals[removal].path} values={{ app: app.appId }} look="plain" confirms>
          <Label of={app.name}>{removal}</Label>
        </Action>
      }
    >
      <ScopeList scopes={app.scopes} />
    </AppRow>
  )
  return (
    <AccountPage title="Your apps" class="list stack">
      <header>
        <h1>Your apps</h1>
        <p class="lede">
          The apps you have allowed, and what each may do. When you remove a public app, it is asked
          to delete your data.
        </p>
      </header>
      <Done notes={notes} />
      {apps.length === 0 ? (
        <p class="empty muted">
          No app has access to your data. Apps appear here as soon as you allow them.
        </p>
      ) : (
        <ul class="rows">{apps.map((app) => row('Remove', app, { since: allowed(app) }))}</ul>
      )}
      {accountApps.length > 0 && (
        <Section id="account-apps" title="Apps of the whole account">
          <p class="muted">
            Admins allowed these apps for everyone in the account. Removing an app ends its access
            to the whole account, and a public app is asked to delete the data.
          </p>
          <ul class="rows">
            {accountApps.map((app) =>
              row('Remove for the account', app, {
                about: app.allowedBy.map(({ email, since }) => (
                  <p class="muted">
                    Allowed by {email} on <Time at={since} />
                  </p>
                )),
              }),
            )}
          </ul>
        </Section>
      )}
    </AccountPage>
  )
}

const allowed = ({ waiting, since }: AddedApp) =>
  waiting ? (
    ', allowed, waiting for your device to connect'
  ) : (
    <>
      , allowed on <Time at={since} />
    </>
  )
