import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers.ts'
import { clientOf } from '../../http/caller.ts'
import { revokeToken } from '../revoke.ts'

/** `POST /oauth/revoke`: the end of a token. */
export const revokeRoute = (ctx: Context) =>
  initServer().route(oauthContract.revoke, async ({ body, res }) => {
    await revokeToken(ctx, clientOf(res), body.token)
    return ok({ status: 'success' as const })
  })
