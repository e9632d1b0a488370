import { type RequestHandler, Router } from 'express'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { readFormText } from '../http/form.ts'
import { limitPages } from '../http/rate-limit.ts'
import { addedAppsRoutes } from './account/added-apps.ts'
import { approvalsRoutes } from './account/approvals.ts'
import { consentRoutes } from './account/consent.ts'
import { deviceRoutes } from './account/device.ts'
import { setAccountHeaders } from './account/page.ts'
import { isAccountPath } from './account/path.ts'
import { signInRoutes } from './account/sign-in.ts'

/** The pages of the authorization service for people; the authorize endpoint is of the contract. */
export function accountPages(ctx: Context): Router {
  const router = Router()
  const pages = Router()
  pages.use(limitPages(ctx, 'authorize'), readFormText)
  pages.use(signInRoutes(ctx), consentRoutes(ctx), deviceRoutes(ctx))
  pages.use(addedAppsRoutes(ctx), approvalsRoutes(ctx))
  for (const [path, methods] of Object.entries(methodsOf)) pages.all(path, refuseMethod(methods))
  router.use((req, res, next) => {
    if (!isAccountPath(req.path)) return next()
    setAccountHeaders(res)
    pages(req, res, next)
  })
  return router
}

const methodsOf = {
  '/sign-in': 'GET, HEAD, POST',
  '/sign-out': 'POST',
  '/oauth/consent': 'POST',
  '/oauth_device': 'GET, HEAD, POST',
  '/oauth/device/complete/:code': 'GET, HEAD',
  '/oauth/device/decision': 'POST',
  '/oauth/approval/request': 'POST',
  '/my/apps': 'GET, HEAD',
  '/my/apps/remove': 'POST',
  '/my/approvals': 'GET, HEAD, POST',
}

const refuseMethod =
  (methods: string): RequestHandler =>
  (_req, res) => {
    res.setHeader('Allow', methods)
    fail('METHOD_NOT_ALLOWED')
  }
