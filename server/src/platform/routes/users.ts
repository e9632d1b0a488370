import { endpointScopes, platformContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers.ts'
import { accessTokenOf } from '../../http/caller.ts'
import { presentUser } from '../present.ts'
import { findVisibleUser } from '../viewer.ts'

export const usersRoutes = (ctx: Context) =>
  initServer().router(platformContract.users, {
    get: async ({ params, res }) => {
      const viewer = accessTokenOf(res)
      const { readUser } = endpointScopes
      return ok(presentUser(await findVisibleUser(ctx, viewer, params.userId, readUser)))
    },
  })
