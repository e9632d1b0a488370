import { platformContract } from '@skillpass/contract'
import { allowAnyOrigin } from '../../http/cors.ts'
import { createService } from '../../http/service.ts'
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

export const resourceApi = (ctx: OAuthContext) =>
  createService({
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
    },
    authenticate: [authenticateBearer(ctx)],
    cors: allowAnyOrigin,
    mayBeStored: false,
    dialect: platformDialect,
  })
