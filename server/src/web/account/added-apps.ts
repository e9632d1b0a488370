import { Router } from 'express'
import type { Context } from '../../context.ts'
import { formToken } from '../../http/session.ts'
import { listAddedApps, removeAddedApp } from '../../oauth/added-apps.ts'
import { renderAddedAppsPage } from '../pages/added-apps.tsx'
import { signedInForm, signedInPage } from './handlers.ts'
import { seeOther, sendPage, viewerOf } from './page.ts'

const removalPurpose = (appId: string) => `remove ${appId}`

/** The apps that a user has added. */
export function addedAppsRoutes(ctx: Context): Router {
  const router = Router()

  router.get(
    '/my/apps',
    signedInPage(ctx, async ({ req, res, visit }) => {
      const added = await listAddedApps(ctx, visit.session.user)
      const apps = added.map((app) => ({
        ...app,
        token: formToken(visit, removalPurpose(app.appId)),
      }))
      const isRemoved = req.query.removed !== undefined
      sendPage(res, renderAddedAppsPage({ apps, viewer: viewerOf(visit), isRemoved }))
    }),
  )

  router.post(
    '/my/apps/remove',
    signedInForm(
      ctx,
      (form) => removalPurpose(form.one('app')),
      async ({ res, visit, form }) => {
        await removeAddedApp(ctx, visit.session.user, form.one('app'))
        seeOther(res, '/my/apps?removed')
      },
    ),
  )

  return router
}
