import { platformContract } from '@skillpass/contract'
import { created, noContent, ok, router } from '../../http/handlers.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { findVisibleUser } from '../bearer.ts'
import { bearerOf } from '../http.ts'
import { createMeetingToken } from '../meeting-tokens.ts'
import {
  serializeCreatedUser,
  serializeListedUser,
  serializeUser,
  serializeUserSettings,
} from '../serialize.ts'
import { createUser, describeUserDetails, listUsers, updateUser } from '../users.ts'

const { remove: _, ...contract } = platformContract.users

export const usersRoutes = (ctx: Context) =>
  router(contract, {
    list: async ({ query, res }) => {
      const page = await listUsers(ctx, bearerOf(res), query)
      return ok({
        page_size: query.page_size,
        total_records: page.total,
        next_page_token: page.nextPageToken,
        users: page.items.map((user) => serializeListedUser(user, page.account.name)),
      })
    },
    create: async ({ body, req, res }) => {
      const user = await createUser(forRequest(ctx, req), bearerOf(res), body)
      return created(serializeCreatedUser(user))
    },
    get: async ({ params, res }) => {
      const bearer = bearerOf(res)
      const user = await findVisibleUser(ctx, bearer, params.userId)
      return ok(serializeUser(user, await describeUserDetails(ctx, bearer, user)))
    },
    update: async ({ params, body, req, res }) => {
      const user = await findVisibleUser(ctx, bearerOf(res), params.userId)
      await updateUser(forRequest(ctx, req), user, body)
      return noContent()
    },
    getSettings: async ({ params, query, res }) => {
      await findVisibleUser(ctx, bearerOf(res), params.userId)
      return ok(serializeUserSettings(query.custom_query_fields ?? ''))
    },
    createToken: async ({ params, query, req, res }) => {
      const bearer = bearerOf(res)
      const user = await findVisibleUser(ctx, bearer, params.userId)
      const { type, ttl } = query
      // `ttl` applies only to a zak.
      const life = type === 'zak' ? { lifetime: ttl * 1000 } : {}
      const parts = { user, type, bearer, ...life }
      return ok({ token: await createMeetingToken(forRequest(ctx, req), parts) })
    },
  })
