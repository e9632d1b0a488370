import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers.ts'
import { clientOf } from '../../http/caller.ts'
import { issueTokens } from '../token.ts'

/** `POST /oauth/token`: tokens, by the grant type of the request. */
export const tokenRoute = (ctx: Context) =>
  initServer().route(oauthContract.token, async ({ body, res }) =>
    ok(await issueTokens(ctx, clientOf(res), body)),
  )
