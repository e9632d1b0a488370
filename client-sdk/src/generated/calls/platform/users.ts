// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings, ListCall } from '../../../call.ts'
import type {
  CreatedUser,
  ListedUser,
  NewUser,
  ProfileChanges,
  User,
  UserPage,
} from '../../schemas/platform/users.ts'

/** The query of `platform.users.list`. */
export interface UsersListQuery {
  /** Most entries of a page, 300 at most. Default: 30. */
  page_size?: number | undefined
  /** Of the page before, of the same list; empty for the first. At most 1,000 characters. */
  next_page_token?: string | undefined
  /** Pages have no numbers here: 1 is the first, any other is refused. */
  page_number?: 1 | undefined
  /**
   * `pending` lists users whose email nobody has proven; `inactive` lists users whom the operator
   * has disabled. Default: "active".
   */
  status?: 'active' | 'inactive' | 'pending' | undefined
  /**
   * The own account, or with a master scope a sub-account. By default the own. At most 64
   * characters. For example `de300000-0000-4000-8000-000000000010`.
   */
  account_id?: string | undefined
}

/** The params of `platform.users.get`. */
export interface UsersGetParams {
  /**
   * `me` for the user of the token, an id, or an email in any case; another user than the own
   * needs admin scopes. For example `me`.
   */
  userId: string
}

/** The query of `platform.users.remove`. */
export interface UsersRemoveQuery {
  /** Both remove the user. Default: "disassociate". */
  action?: 'disassociate' | 'delete' | undefined
}

/** The query of `platform.users.createToken`. */
export interface UsersCreateTokenQuery {
  /** What the token is for. Default: "token". */
  type?: 'token' | 'zak' | undefined
  /**
   * Life of a `zak`, seconds. A `token` lives two hours, whatever stands here. 1 to 7,776,000.
   * Default: 7200.
   */
  ttl?: number | undefined
}

/** What `platform.users.createToken` answers. */
export interface UsersCreateTokenResult {
  /** The token. */
  token: string
}

/** The calls of `users`. */
export interface UsersCalls {
  /**
   * List the users of an account.
   *
   * In an order that stays, so that a page holds nobody of another page while users come and go.
   *
   * `GET /v2/users`. Needs an access token with one of the scopes `user:read:list_users:admin`,
   * `user:read:list_users:master`, `user:read:admin`, `user:write:admin`, `user:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly list: ListCall<
    [input?: CallSettings & { query?: UsersListQuery | undefined }],
    UserPage,
    ListedUser
  >

  /**
   * Add a user to an account.
   *
   * The user is active at once where the operator has given the domain of the email to the
   * account, and else pending: listed, and unable to sign in, until the email is proven. The
   * answer does not tell whether another account has a user with the email; that user stays
   * untouched. An email that this account has is 1005.
   *
   * `POST /v2/users`. Needs an access token with one of the scopes `user:write:user:admin`,
   * `user:write:user:master`, `user:write:admin`, `user:master`. 6,000 calls in any 60 seconds per
   * app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 409, 413, 429, 500, 503)
   */
  readonly create: (input: CallSettings & { body: NewUser }) => Promise<CreatedUser>

  /**
   * Read a user.
   *
   * `me` is the user of the token; for an account token the owner of the account, or else its
   * eldest admin or user.
   *
   * `GET /v2/users/:userId`. Needs an access token with one of the scopes `user:read:user`,
   * `user:read:user:admin`, `user:read:user:master`, `user:read`, `user:read:admin`, `user:write`,
   * `user:write:admin`, `user_info:read`, `user_profile`, `user:master`. 6,000 calls in any 60
   * seconds per app and user.
   *
   * @throws PlatformRequestError (401, 403, 404, 429, 500, 503)
   */
  readonly get: (input: CallSettings & { params: UsersGetParams }) => Promise<User>

  /**
   * Change the profile of a user.
   *
   * What is left out stays as it is. Email, role, type, status and number of the personal meeting
   * cannot be set here.
   *
   * `PATCH /v2/users/:userId`. Needs an access token with one of the scopes `user:update:user`,
   * `user:update:user:admin`, `user:update:user:master`, `user:write`, `user:write:admin`,
   * `user:master`. 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 413, 429, 500, 503)
   */
  readonly update: (
    input: CallSettings & { params: UsersGetParams; body: ProfileChanges },
  ) => Promise<undefined>

  /**
   * Remove a user from the account.
   *
   * The tokens of the user end at once, public apps get `app_deauthorized`, and nobody finds the
   * meetings of the user any more. The owner of an account cannot be removed, and `me` is refused.
   *
   * `DELETE /v2/users/:userId`. Needs an access token with one of the scopes
   * `user:delete:user:admin`, `user:delete:user:master`, `user:write:admin`, `user:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly remove: (
    input: CallSettings & { params: UsersGetParams; query?: UsersRemoveQuery | undefined },
  ) => Promise<undefined>

  /**
   * Make a token for meetings of a user.
   *
   * A `zak` starts meetings of the user, a `token` joins meetings as the user. Treat both as a
   * password. Both end with the access of the app that asked.
   *
   * `GET /v2/users/:userId/token`. Needs an access token with one of the scopes `user:read:token`,
   * `user:read:token:admin`, `user:read:token:master`, `user:read`, `user:read:admin`,
   * `user:write`, `user:write:admin`, `user_profile`, `user:master`. 6,000 calls in any 60 seconds
   * per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly createToken: (
    input: CallSettings & { params: UsersGetParams; query?: UsersCreateTokenQuery | undefined },
  ) => Promise<UsersCreateTokenResult>
}
