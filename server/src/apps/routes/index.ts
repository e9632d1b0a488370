import { platformContract } from '@skillpass/contract'
import type { RequestHandler } from 'express'
import { allowAnyOrigin } from '../../http/cors.ts'
import { refuseUnknownNames } from '../../http/endpoints.ts'
import { routeOf } from '../../http/request.ts'
import { createService, type Handlers } from '../../http/service.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { onUserRemoved } from '../../oauth/end-access.ts'
import { authenticateBearer } from '../../oauth/routes/bearer.ts'
import { chatRoutes } from '../../platform/routes/chat.ts'
import { contentAccessRoutes } from '../../platform/routes/content-access.ts'
import { platformDialect } from '../../platform/routes/dialect.ts'
import { meetingsRoutes } from '../../platform/routes/meetings.ts'
import { usersRoutes } from '../../platform/routes/users.ts'
import { approvalsRoutes } from './approvals.ts'
import { appsRoutes } from './apps.ts'
import { deliveriesRoutes } from './deliveries.ts'

/** `mcp` is the route of the MCP server, which authenticates its own requests. */
export function resourceApi(ctx: OAuthContext, mcp: McpRoutes) {
  const authenticate = authenticateBearer(ctx)
  return createService({
    name: 'platform',
    url: ctx.config.apiUrl,
    contract: platformContract,
    routes: {
      users: usersRoutes(ctx, onUserRemoved),
      meetings: meetingsRoutes(ctx),
      contentAccess: contentAccessRoutes(ctx),
      chat: chatRoutes(ctx),
      apps: appsRoutes(ctx),
      approvals: approvalsRoutes(ctx),
      deliveries: deliveriesRoutes(ctx),
      mcp: mcp.routes,
    },
    authenticate: [
      (req, res, next) =>
        (routeOf(req) === mcpRoute ? mcp.authenticate : authenticate)(req, res, next),
    ],
    checks: [refuseUnknownNames('slips')],
    cors: allowAnyOrigin,
    mayBeStored: false,
    dialect: platformDialect,
  })
}

const mcpRoute = platformContract.mcp.call

interface McpRoutes {
  readonly routes: Handlers<typeof platformContract.mcp>
  readonly authenticate: RequestHandler
}
