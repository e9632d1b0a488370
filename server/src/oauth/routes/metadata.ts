import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { ok } from '../../http/answers.ts'
import type { OAuthContext } from '../context.ts'
import { serverMetadata } from '../metadata.ts'

/** `GET /.well-known/oauth-authorization-server`: what the service can do. */
export const metadataRoute = (ctx: OAuthContext) =>
  initServer().route(oauthContract.metadata, async ({ res }) => {
    res.removeHeader('Pragma')
    res.setHeader('Cache-Control', 'public, max-age=300')
    return ok(serverMetadata(ctx))
  })
