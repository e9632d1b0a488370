import type { platformContract } from '@skillpass/contract'
import { findVisibleUser } from './bearer.ts'
import type { BearerHandlers } from './http.ts'
import { createMeetingToken } from './meeting-tokens.ts'
import {
  serializeCreatedUser,
  serializeListedUser,
  serializeUser,
  serializeUserSettings,
} from './serialize.ts'
import { createUser, describeUserDetails, listUsers, updateUser } from './users.ts'

/** Routes of users, except the removal, which also ends the access of apps. */
export const usersHandlers: BearerHandlers<Omit<typeof platformContract.users, 'remove'>> = {
  list: async ({ ctx, caller, query }) => {
    const page = await listUsers(ctx, caller, query)
    return {
      page_size: query.page_size,
      total_records: page.total,
      next_page_token: page.nextPageToken,
      users: page.items.map((user) => serializeListedUser(user, page.account.name)),
    }
  },
  create: async ({ ctx, caller, body }) =>
    serializeCreatedUser(await createUser(ctx, caller, body)),
  get: async ({ ctx, caller, params }) => {
    const user = await findVisibleUser(ctx, caller, params.userId)
    return serializeUser(user, await describeUserDetails(ctx, caller, user))
  },
  update: async ({ ctx, caller, params, body }) =>
    updateUser(ctx, caller, await findVisibleUser(ctx, caller, params.userId), body),
  getSettings: async ({ ctx, caller, params, query }) => {
    await findVisibleUser(ctx, caller, params.userId)
    return serializeUserSettings(query.custom_query_fields ?? '')
  },
  createToken: async ({ ctx, caller, params, query: { type, ttl } }) => {
    const user = await findVisibleUser(ctx, caller, params.userId)
    // `ttl` applies only to a zak.
    const life = type === 'zak' ? { lifetime: ttl * 1000 } : {}
    return { token: await createMeetingToken(ctx, { user, type, bearer: caller, ...life }) }
  },
}
