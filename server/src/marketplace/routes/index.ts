import type { OAuthContext } from '../../oauth/context.ts'
import { approvalsRoutes } from './approvals.ts'
import { appsRoutes } from './apps.ts'
import { deliveriesRoutes } from './deliveries.ts'

/** The handlers of the resource API that are about apps: those of the authorization service. */
export const marketplaceRoutes = (ctx: OAuthContext) => ({
  apps: appsRoutes(ctx),
  approvals: approvalsRoutes(ctx),
  deliveries: deliveriesRoutes(ctx),
})
