import { oauthContract } from '@skillpass/contract'
import { createService, type Handlers } from '../../http/service.ts'
import type { OAuthContext } from '../context.ts'
import { authenticateClient } from './client-auth.ts'
import { allowRegisteredOrigins } from './cors.ts'
import { deviceRoute } from './device.ts'
import { oauthDialect } from './dialect.ts'
import { readForm } from './form.ts'
import { introspectRoute } from './introspect.ts'
import { metadataRoute } from './metadata.ts'
import { revokeRoute } from './revoke.ts'
import { tokenRoute } from './token.ts'

/** Pages that stand among the addresses of the authorization service. */
interface Pages extends Pick<Handlers<typeof oauthContract>, 'authorize'> {
  isPage(path: string): boolean
}

/** The authorization service; the authorize endpoint is a page. */
export const oauthService = (ctx: OAuthContext, { authorize, isPage }: Pages) =>
  createService({
    name: 'oauth',
    url: ctx.config.authUrl,
    contract: oauthContract,
    routes: {
      authorize,
      token: tokenRoute(ctx),
      device: deviceRoute(ctx),
      revoke: revokeRoute(ctx),
      introspect: introspectRoute(ctx),
      metadata: metadataRoute(ctx),
    },
    authenticate: [readForm, authenticateClient(ctx)],
    cors: allowRegisteredOrigins(ctx, isPage),
    mayBeStored: false,
    dialect: oauthDialect,
  })
