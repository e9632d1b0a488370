import { platformContract } from '@skillpass/contract'
import type { RequestHandler } from 'express'
import { allowAnyOrigin } from '../http/cors.ts'
import { refuseUnknownNames } from '../http/endpoints.ts'
import { platformDialect } from '../http/platform-dialect.ts'
import { routeOf } from '../http/request.ts'
import { createService, type Handlers } from '../http/service.ts'
import { chatRoutes } from '../meetings/routes/chat.ts'
import { contentAccessRoutes } from '../meetings/routes/content-access.ts'
import { meetingsRoutes } from '../meetings/routes/meetings.ts'
import { authenticateBearer } from '../oauth/http.ts'
import { approvalsRoutes } from '../oauth/routes/approvals.ts'
import { appsRoutes } from '../oauth/routes/apps.ts'
import { deliveriesRoutes } from '../oauth/routes/deliveries.ts'
import { userRemovalRoutes } from '../oauth/routes/users.ts'
import { usersRoutes } from '../people/routes/users.ts'
import type { Context } from '../runtime/context.ts'

/** `mcp` is the route of the MCP server, which authenticates its own requests. */
export function resourceApi(ctx: Context, mcp: McpRoutes) {
  const authenticate = authenticateBearer(ctx)
  return createService({
    name: 'platform',
    url: ctx.config.apiUrl,
    contract: platformContract,
    routes: {
      users: { ...usersRoutes(ctx), ...userRemovalRoutes(ctx) },
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
