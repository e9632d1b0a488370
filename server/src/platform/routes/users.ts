import { platformContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers.ts'
import { accessTokenOf } from '../../http/caller.ts'
import { findVisibleUser } from '../bearer.ts'
import { presentUser } from '../present.ts'

/** `/v2/users`: users of an account. */
export const usersRoutes = (ctx: Context) =>
  initServer().router(platformContract.users, {
    get: async ({ params, res }) => {
      const bearer = accessTokenOf(res)
      const { scopes } = platformContract.users.get.metadata
      return ok(presentUser(await findVisibleUser(ctx, bearer, params.userId, scopes)))
    },
  })
