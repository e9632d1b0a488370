import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { ok } from '../../http/answers.ts'
import type { OAuthContext } from '../context.ts'
import { introspectToken } from '../introspect.ts'
import { clientOf } from './client-auth.ts'

/** `POST /oauth/introspect`: what a token is. */
export const introspectRoute = (ctx: OAuthContext) =>
  initServer().route(oauthContract.introspect, async ({ body, res }) =>
    ok(await introspectToken(ctx, clientOf(res), body.token)),
  )
