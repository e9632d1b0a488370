import {
  type AccountApp,
  type AddedApp,
  listAccountApps,
  listAddedApps,
  removeAccountApp,
  removeAddedApp,
} from '../../oauth/added-apps.ts'
import { isAdmin } from '../../people/bearer.ts'
import { AccountPage, Action, AppRow, Label } from '../ui/account.tsx'
import { Done } from '../ui/fields.tsx'
import { Section, Time } from '../ui/parts.tsx'
import { ScopeList } from '../ui/scopes.tsx'
import { askToConfirm, needsConfirmation } from './form.tsx'
import { redirect, show, signedIn } from './page.ts'

const listPath = '/my/apps'

/** The two ways to remove an app, by button label. */
const removals = {
  Remove: {
    path: '/my/apps/remove',
    list: listAddedApps,
    remove: removeAddedApp,
    done: 'removed',
    whose: '',
    text: 'The app loses access to your data immediately. If it is public, it is asked to delete your data.',
  },
  'Remove for the account': {
    path: '/my/apps/remove-for-account',
    list: listAccountApps,
    remove: removeAccountApp,
    done: 'removed-for-account',
    whose: ' for the whole account',
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

function removalForm(removal: Removal) {
  const { list, remove, done, whose, text } = removals[removal]
  const post = signedIn(async ({ ctx, req, session: { user }, form }) => {
    const appId = form.one('app')
    const apps = needsConfirmation(form) ? await list(ctx, user) : []
    const app = apps.find((one) => one.appId === appId)
    if (app) {
      const name = <span dir="auto">{app.name}</span>
      const title = ['Remove ', name, `${whose}?`]
      const button = <Label of={name}>{removal}</Label>
      return askToConfirm(req, { title, text, button, values: { app: appId }, back: listPath })
    }
    const isRemoved = await remove(ctx, user, appId)
    return redirect(isRemoved ? `${listPath}?done=${done}` : listPath)
  })
  return { post }
}

export const addedAppsPages = {
  [listPath]: {
    get: signedIn(async ({ ctx, session: { user } }) => {
      const apps = await listAddedApps(ctx, user)
      const accountApps = isAdmin(user) ? await listAccountApps(ctx, user) : []
      return show(addedAppsPage(apps, accountApps))
    }),
  },
  [removals.Remove.path]: removalForm('Remove'),
  [removals['Remove for the account'].path]: removalForm('Remove for the account'),
}

/** The apps of a user and, for admins, those with access to the whole account. */
const addedAppsPage = (apps: readonly AddedApp[], accountApps: readonly AccountApp[]) => (
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
        No app has access to your data yet. Apps appear here as soon as you allow them. You make
        your own in the <a href="/console">developer console</a>.
      </p>
    ) : (
      <ul class="rows">{apps.map(rowWith('Remove'))}</ul>
    )}
    {accountApps.length > 0 && (
      <Section id="account-apps" title="Apps of the whole account">
        <p class="muted">
          Admins allowed these apps for everyone in the account. Removing an app ends its access to
          the whole account, and a public app is asked to delete the data.
        </p>
        <ul class="rows">{accountApps.map(rowWith('Remove for the account'))}</ul>
      </Section>
    )}
  </AccountPage>
)

/** What an app that was allowed still has to do. */
const waits = {
  device:
    'You allowed it on a device, which has not connected yet. It connects within a few seconds. Until then, the app has no access.',
  app: 'You allowed it, but it has not fetched its token yet, so it has no access. If this stays so for some minutes, go back to the app and start again.',
}

const rowWith = (removal: Removal) => (app: AddedApp | AccountApp) => (
  <AppRow
    app={app}
    level={removal === 'Remove' ? 2 : 3}
    since={'waitsFor' in app && !app.waitsFor && [', allowed on ', <Time at={app.since} />]}
    about={
      'allowedBy' in app
        ? app.allowedBy.map(({ email, since }) => (
            <p class="muted">
              Allowed by {email} on <Time at={since} />
            </p>
          ))
        : app.waitsFor && <p class="aside">{waits[app.waitsFor]}</p>
    }
    actions={
      <Action action={removals[removal].path} values={{ app: app.appId }} look="plain" confirms>
        <Label of={app.name}>{removal}</Label>
      </Action>
    }
  >
    <ScopeList scopes={app.scopes} />
  </AppRow>
)
