import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { ok } from '../../http/answers.ts'
import type { OAuthContext } from '../context.ts'
import { revokeToken } from '../revoke.ts'
import { clientOf } from './client-auth.ts'

/** `POST /oauth/revoke`: the end of a token. */
export const revokeRoute = (ctx: OAuthContext) =>
  initServer().route(oauthContract.revoke, async ({ body, res }) => {
    await revokeToken(ctx, clientOf(res), body.token)
    return ok({ status: 'success' as const })
  })
