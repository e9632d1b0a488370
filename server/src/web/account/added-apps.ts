import { Router } from 'express'
import { from } from '../../audit/origin.ts'
import {
  listAccountApps,
  listAddedApps,
  removeAccountApp,
  removeAddedApp,
} from '../../oauth/added-apps.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { renderAddedAppsPage } from '../pages/added-apps.tsx'
import { signedInForm, signedInPage } from './handlers.ts'
import { readQuery, seeOther, sendPage, viewerOf } from './page.ts'
import { formToken } from './session.ts'

const listPath = '/my/apps'

/** What an address says was just done. */
const notes = new Map([
  [
    'removed',
    'The app is removed. It has no access to your data any more, and if it is public it is told to delete what it has.',
  ],
  [
    'removed-for-account',
    'The app is removed for the whole account. It has no access any more, and if it is public it is told to delete what it has of each person.',
  ],
])

const removalPurpose = (appId: string) => `remove ${appId}`
const accountRemovalPurpose = (appId: string) => `remove for the account ${appId}`

/** The apps that a user has added. */
export function addedAppsRoutes(ctx: OAuthContext): Router {
  const router = Router()

  router.get(
    listPath,
    signedInPage(ctx, async ({ req, res, visit }) => {
      const added = await listAddedApps(ctx, visit.session.user)
      const apps = added.map((app) => ({
        ...app,
        token: formToken(visit, removalPurpose(app.appId)),
      }))
      const viewer = viewerOf(visit)
      const accountApps = viewer.isAdmin
        ? (await listAccountApps(ctx, visit.session.user)).map((app) => ({
            ...app,
            token: formToken(visit, accountRemovalPurpose(app.appId)),
          }))
        : undefined
      const note = notes.get(readQuery(req, 'done') ?? '')
      sendPage(res, renderAddedAppsPage({ apps, accountApps, viewer, note }))
    }),
  )

  router.post(
    '/my/apps/remove',
    signedInForm(
      ctx,
      (form) => removalPurpose(form.one('app')),
      async ({ req, res, visit, form }) => {
        const isRemoved = await removeAddedApp(from(ctx, req), visit.session.user, form.one('app'))
        seeOther(res, isRemoved ? `${listPath}?done=removed` : listPath)
      },
    ),
  )

  router.post(
    '/my/apps/remove-for-account',
    signedInForm(
      ctx,
      (form) => accountRemovalPurpose(form.one('app')),
      async ({ req, res, visit, form }) => {
        const isRemoved = await removeAccountApp(
          from(ctx, req),
          visit.session.user,
          form.one('app'),
        )
        seeOther(res, isRemoved ? `${listPath}?done=removed-for-account` : listPath)
      },
    ),
  )

  return router
}
