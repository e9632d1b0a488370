import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { ok } from '../../http/answers.ts'
import { clientOf } from '../../http/caller.ts'
import type { OAuthContext } from '../context.ts'
import { issueTokens } from '../grants/token.ts'

/** `POST /oauth/token`: tokens, by the grant type of the request. */
export const tokenRoute = (ctx: OAuthContext) =>
  initServer().route(oauthContract.token, async ({ body, res }) =>
    ok(await issueTokens(ctx, clientOf(res), body)),
  )
