import { Router } from 'express'
import type { OAuthContext } from '../../oauth/context.ts'
import { consoleListRoutes } from './apps.ts'
import { consoleAuditRoutes } from './audit.ts'
import { consoleMessagesRoutes } from './messages.ts'
import { consoleOverviewRoutes } from './overview.ts'
import { consoleRedirectsRoutes } from './redirects.ts'
import { consoleScopesRoutes } from './scopes.ts'
import { consoleWebhooksRoutes } from './webhooks.ts'

/** The developer console: apps, their credentials, scopes, addresses and webhooks. */
export function consoleRoutes(ctx: OAuthContext): Router {
  const router = Router()
  router.use(consoleListRoutes(ctx), consoleOverviewRoutes(ctx), consoleScopesRoutes(ctx))
  router.use(consoleRedirectsRoutes(ctx), consoleWebhooksRoutes(ctx))
  router.use(consoleMessagesRoutes(ctx), consoleAuditRoutes(ctx))
  return router
}
