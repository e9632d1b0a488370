import type { OAuthContext } from '../context.ts'
import { deviceRoute } from './device.ts'
import { introspectRoute } from './introspect.ts'
import { metadataRoute } from './metadata.ts'
import { revokeRoute } from './revoke.ts'
import { tokenRoute } from './token.ts'

/** The handlers of the authorization service; the authorize endpoint is a page. */
export const oauthRoutes = (ctx: OAuthContext) => ({
  token: tokenRoute(ctx),
  device: deviceRoute(ctx),
  revoke: revokeRoute(ctx),
  introspect: introspectRoute(ctx),
  metadata: metadataRoute(ctx),
})
