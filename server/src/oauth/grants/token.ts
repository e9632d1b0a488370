import type { GrantType, TokenRequest } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import type { OAuthClient } from '../../store/oauth/clients.ts'
import type { IssuedTokens } from '../tokens.ts'
import { authorizationCode } from './authorization-code.ts'
import { accountCredentials, clientCredentials } from './credentials.ts'
import { deviceCode } from './device-code.ts'
import type { GrantHandler, RequestOf } from './grant-handler.ts'
import { refreshToken } from './refresh-token.ts'

const handlers: { readonly [G in GrantType]: GrantHandler<G> } = {
  [accountCredentials.grantType]: accountCredentials,
  [authorizationCode.grantType]: authorizationCode,
  [refreshToken.grantType]: refreshToken,
  [deviceCode.grantType]: deviceCode,
  [clientCredentials.grantType]: clientCredentials,
}

/** Issues tokens for the requested grant type. Throws app_disabled and errors of the grant type. */
export async function issueTokens(
  ctx: Context,
  client: OAuthClient,
  request: z.output<typeof TokenRequest>,
): Promise<IssuedTokens> {
  if (client.app.disabledAt !== null) fail('app_disabled')
  return run(ctx, client, request)
}

const run = <G extends GrantType>(
  ctx: Context,
  client: OAuthClient,
  request: RequestOf<G> & { grant_type: G },
) => handlers[request.grant_type].run(ctx, client, request)
