import { platformContract } from '@skillpass/contract'
import type { RequestHandler } from 'express'
import { allowAnyOrigin } from '../http/cors.ts'
import { platformDialect } from '../http/dialects.ts'
import { refuseUnknownNames } from '../http/endpoints.ts'
import { routeOf } from '../http/request.ts'
import { serve } from '../http/serve.ts'
import { createService, type Handlers } from '../http/service.ts'
import {
  chatHandlers,
  contentAccessHandlers,
  downloadTokenOf,
  meetingsHandlers,
  pastMeetingsHandlers,
  recordingsHandlers,
} from '../meetings/routes.ts'
import { authenticateBearer } from '../oauth/http.ts'
import { approvalsHandlers } from '../oauth/routes/approvals.ts'
import { appsHandlers } from '../oauth/routes/apps.ts'
import { deliveriesHandlers } from '../oauth/routes/deliveries.ts'
import { removeUser } from '../oauth/users.ts'
import { type BearerHandlers, bearers } from '../people/http.ts'
import { usersHandlers } from '../people/routes.ts'
import type { Context } from '../runtime/context.ts'
import { limitLikeVendor } from './vendor-limits.ts'

/** `mcp` is the route of the MCP server, which authenticates its own requests. */
export function resourceApi(ctx: Context, mcp: McpRoutes) {
  const authenticate = authenticateBearer(ctx)
  const { vendorLimits } = ctx.config
  return createService({
    name: 'platform',
    url: ctx.config.apiUrl,
    contract: platformContract,
    routes: { ...serve(ctx, bearers.of, contract, handlers), mcp: mcp.routes },
    authenticate: [
      (req, res, next) => {
        const route = routeOf(req)
        // The operation checks a download token, which opens one file.
        if (route === downloadRoute && downloadTokenOf(req)) return next()
        return (route === mcpRoute ? mcp.authenticate : authenticate)(req, res, next)
      },
      ...(vendorLimits ? [limitLikeVendor(ctx, vendorLimits)] : []),
    ],
    checks: [refuseUnknownNames('slips')],
    cors: allowAnyOrigin,
    mayBeStored: false,
    dialect: platformDialect,
  })
}

const { mcp: _, ...contract } = platformContract

const handlers: BearerHandlers<typeof contract> = {
  users: {
    ...usersHandlers,
    remove: ({ ctx, caller, params }) => removeUser(ctx, caller, params.userId),
  },
  meetings: meetingsHandlers,
  pastMeetings: pastMeetingsHandlers,
  recordings: recordingsHandlers,
  contentAccess: contentAccessHandlers,
  chat: chatHandlers,
  apps: appsHandlers,
  approvals: approvalsHandlers,
  deliveries: deliveriesHandlers,
}

const mcpRoute = platformContract.mcp.call
const downloadRoute = platformContract.recordings.download

interface McpRoutes {
  readonly routes: Handlers<typeof platformContract.mcp>
  readonly authenticate: RequestHandler
}
