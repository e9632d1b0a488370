import { grantTypes, oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { RequestHandler } from 'express'
import { fail } from '../../errors/failure.ts'
import { ok } from '../../http/answers.ts'
import type { OAuthContext } from '../context.ts'
import { issueTokens } from '../grants/token.ts'
import { clientOf } from './client-auth.ts'

/** `POST /oauth/token`: tokens, by the grant type of the request. */
export const tokenRoute = (ctx: OAuthContext) =>
  initServer().route(oauthContract.token, {
    middleware: [refuseOtherGrant],
    handler: async ({ body, res }) => ok(await issueTokens(ctx, clientOf(res), body)),
  })

/** A grant type that is not known has an error of its own; its absence is an invalid request. */
const refuseOtherGrant: RequestHandler = ({ body: { grant_type: given } }, _res, next) => {
  if (given !== undefined && !grantTypes.some((known) => known === given)) {
    fail('unsupported_grant_type')
  }
  next()
}
