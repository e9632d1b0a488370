import { Router } from 'express'
import type { OAuthContext } from '../../oauth/context.ts'
import { consoleAuditRoutes } from './console-audit.ts'
import { consoleListRoutes } from './console-list.ts'
import { consoleMessagesRoutes } from './console-messages.ts'
import { consoleOverviewRoutes } from './console-overview.ts'
import { consoleRedirectsRoutes } from './console-redirects.ts'
import { consoleScopesRoutes } from './console-scopes.ts'
import { consoleWebhooksRoutes } from './console-webhooks.ts'

/** The developer console: apps, their credentials, scopes, addresses and webhooks. */
export function consoleRoutes(ctx: OAuthContext): Router {
  const router = Router()
  router.use(consoleListRoutes(ctx), consoleOverviewRoutes(ctx), consoleScopesRoutes(ctx))
  router.use(consoleRedirectsRoutes(ctx), consoleWebhooksRoutes(ctx))
  router.use(consoleMessagesRoutes(ctx), consoleAuditRoutes(ctx))
  return router
}
