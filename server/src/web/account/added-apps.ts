import {
  listAccountApps,
  listAddedApps,
  removeAccountApp,
  removeAddedApp,
} from '../../oauth/added-apps.ts'
import { renderAddedAppsPage } from '../pages/added-apps.tsx'
import { signedInForm, signedInPage, viewerOf } from './handlers.ts'
import { type AccountPage, goOn, noteOf, show } from './page.ts'
import { formToken } from './session.ts'

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
export const addedAppsPages: AccountPage[] = [
  {
    path: listPath,
    get: signedInPage(async ({ ctx, req, visit }) => {
      const { user } = visit.session
      const viewer = viewerOf(visit)
      const token = (purpose: string) => ({ token: formToken(visit, purpose) })
      const added = await listAddedApps(ctx, user)
      const apps = added.map((app) => ({ ...app, ...token(removalPurpose(app.appId)) }))
      const ofAccount = viewer.isAdmin ? await listAccountApps(ctx, user) : []
      const accountApps = ofAccount.map((app) => ({
        ...app,
        ...token(accountRemovalPurpose(app.appId)),
      }))
      return show(renderAddedAppsPage({ apps, accountApps, viewer, note: noteOf(req, notes) }))
    }),
  },
  { path: '/my/apps/remove', post: removal(removalPurpose, removeAddedApp, 'removed') },
  {
    path: '/my/apps/remove-for-account',
    post: removal(accountRemovalPurpose, removeAccountApp, 'removed-for-account'),
  },
]
