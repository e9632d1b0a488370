import { platformContract } from '@skillpass/contract'
import { noContent, router } from '../../http/handlers.ts'
import { bearerOf } from '../../people/http.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { removeUser } from '../users.ts'

const { remove } = platformContract.users

/** Removes users. The other routes of users know nothing of apps. */
export const userRemovalRoutes = (ctx: Context) =>
  router(
    { remove },
    {
      remove: async ({ params, req, res }) => {
        await removeUser(forRequest(ctx, req), bearerOf(res), params.userId)
        return noContent()
      },
    },
  )
