import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers.ts'
import { clientOf } from '../../http/caller.ts'
import { introspectToken } from '../introspect.ts'

/** `POST /oauth/introspect`: what a token is. */
export const introspectRoute = (ctx: Context) =>
  initServer().route(oauthContract.introspect, async ({ body, res }) =>
    ok(await introspectToken(ctx, clientOf(res), body.token)),
  )
