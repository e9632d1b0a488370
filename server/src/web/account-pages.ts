import { type RequestHandler, Router } from 'express'
import { fail } from '../errors/failure.ts'
import { readFormText } from '../http/body.ts'
import { limitPages } from '../http/rate-limit.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { addedAppsRoutes } from './account/added-apps.ts'
import { approvalsRoutes } from './account/approvals.ts'
import { consentRoutes } from './account/consent.ts'
import { deviceRoutes } from './account/device.ts'
import { meetingsRoutes } from './account/meetings.ts'
import { setAccountHeaders } from './account/page.ts'
import { isAccountPath } from './account/path.ts'
import { signInRoutes } from './account/sign-in.ts'
import { consoleRoutes } from './console/index.ts'

/** The pages of the authorization service for people; the authorize endpoint is of the contract. */
export function accountPages(ctx: OAuthContext): Router {
  const router = Router()
  const pages = Router()
  pages.use(limitPages(ctx, 'authorize'), readFormText)
  pages.use(signInRoutes(ctx), consentRoutes(ctx), deviceRoutes(ctx))
  pages.use(addedAppsRoutes(ctx), approvalsRoutes(ctx), consoleRoutes(ctx), meetingsRoutes(ctx))
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
  '/my/apps/remove-for-account': 'POST',
  '/my/approvals': 'GET, HEAD, POST',
  '/my/approvals/setting': 'POST',
  '/console': 'GET, HEAD',
  '/console/audit': 'GET, HEAD',
  '/console/new': 'GET, HEAD, POST',
  '/console/apps/:id': 'GET, HEAD, POST',
  '/console/apps/:id/rotate': 'POST',
  '/console/apps/:id/availability': 'POST',
  '/console/apps/:id/scopes': 'GET, HEAD, POST',
  '/console/apps/:id/scopes/migration': 'GET, HEAD, POST',
  '/console/apps/:id/redirects': 'GET, HEAD, POST',
  '/console/apps/:id/webhooks': 'GET, HEAD, POST',
  '/console/apps/:id/webhooks/validation': 'POST',
  '/console/apps/:id/webhooks/secret': 'POST',
  '/console/apps/:id/webhooks/deliveries': 'POST',
  '/console/apps/:id/messages': 'GET, HEAD',
  '/meetings/:id': 'GET, HEAD, POST',
  '/meetings/:id/start': 'GET, HEAD, POST',
  '/meetings/:id/end': 'POST',
}

const refuseMethod =
  (methods: string): RequestHandler =>
  (_req, res) => {
    res.setHeader('Allow', methods)
    fail(405)
  }
