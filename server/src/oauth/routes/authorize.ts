import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { rawQuery } from '../../http/form.ts'
import { authorize } from '../authorize.ts'

export const authorizeRoute = (ctx: Context) =>
  initServer().route(oauthContract.authorize, async ({ req, res }) => {
    const outcome = await authorize(ctx, rawQuery(req), undefined)
    if (outcome.kind !== 'redirect') return { status: 400 as const, body: outcome.kind }
    res.setHeader('Location', outcome.location)
    return { status: 302 as const, body: undefined }
  })
