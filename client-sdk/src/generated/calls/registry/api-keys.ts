// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { ApiKey, ApiKeyCreation, NewApiKey } from '../../schemas/registry/api-keys.ts'

/** What `registry.apiKeys.list` answers. */
export interface ApiKeysListResult {
  /** An API key, without its secret. */
  data: ApiKey[]
  /** How many there are. */
  total: number
}

/** What `registry.apiKeys.create` answers. */
export interface ApiKeysCreateResult {
  /** A new API key with its secret. */
  data: NewApiKey
}

/** The query of `registry.apiKeys.revokeAll`. */
export interface ApiKeysRevokeAllQuery {
  /** Whether to end the key that is sent, too. Default: "false". */
  includeCurrent?: 'true' | 'false' | undefined
}

/** What `registry.apiKeys.revokeAll` answers. */
export interface ApiKeysRevokeAllResult {
  /** The keys that were live until now. */
  data: string[]
  /** How many there are. */
  total: number
}

/** The params of `registry.apiKeys.revoke`. */
export interface ApiKeysRevokeParams {
  /** The id, a UUID. */
  id: string
}

/** The query of `registry.apiKeys.revoke`. */
export interface ApiKeysRevokeQuery {
  /** Whether the keys that it made live on. Default: "false". */
  keepChildren?: 'true' | 'false' | undefined
}

/** What `registry.apiKeys.revoke` answers. */
export interface ApiKeysRevokeResult {
  /** What has ended. */
  data: {
    /** A UUID. */
    id: string
    /** It is done. */
    revoked: true
    /** Keys made by this one, directly or not, that ended with it. */
    alsoRevoked: string[]
  }
}

/** The calls of `apiKeys`. */
export interface ApiKeysCalls {
  /**
   * List the caller's API keys.
   *
   * Every live key of the agent, and the newest 100 that were revoked or have expired; newest
   * first.
   *
   * `GET /api/v1/api-keys`. Needs an API key with the access `full`. 60 reads in any 60 seconds
   * per client address.
   *
   * @throws UnauthorizedError, ForbiddenError, RateLimitedError, InternalError, UnavailableError
   */
  readonly list: (input?: CallSettings) => Promise<ApiKeysListResult>

  /**
   * Make an API key.
   *
   * Makes one more key for the calling agent; its secret is shown only this once. A key that
   * expires makes keys that expire no later. CONFLICT where the agent has as many live keys as it
   * may have, 20 by default.
   *
   * `POST /api/v1/api-keys`. Needs an API key with the access `full`. 20 writes in any 60 seconds
   * per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, ConflictError,
   * PayloadTooLargeError, RateLimitedError, InternalError, UnavailableError
   */
  readonly create: (input: CallSettings & { body: ApiKeyCreation }) => Promise<ApiKeysCreateResult>

  /**
   * Revoke all other API keys.
   *
   * Ends every key of the calling agent at once, but the one that is sent and those that it comes
   * from: the key that made it, and so on. With the key of the registration that is all others.
   * Doing it again changes nothing.
   *
   * `DELETE /api/v1/api-keys`. Needs an API key with the access `full`. 20 writes in any 60
   * seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, RateLimitedError, InternalError,
   * UnavailableError
   */
  readonly revokeAll: (
    input?: CallSettings & { query?: ApiKeysRevokeAllQuery | undefined },
  ) => Promise<ApiKeysRevokeAllResult>

  /**
   * Revoke an API key.
   *
   * Ends a key of the calling agent at once, with every key that it made, and that those made.
   * Revoking it again changes nothing. A key may revoke itself, but none that it comes from:
   * FORBIDDEN, so that a derived key that leaks locks nobody out.
   *
   * `DELETE /api/v1/api-keys/:id`. Needs an API key with the access `full`. 20 writes in any 60
   * seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, NotFoundError, RateLimitedError,
   * InternalError, UnavailableError
   */
  readonly revoke: (
    input: CallSettings & { params: ApiKeysRevokeParams; query?: ApiKeysRevokeQuery | undefined },
  ) => Promise<ApiKeysRevokeResult>
}
