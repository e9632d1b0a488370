// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings, ListCall } from '../../../call.ts'
import type {
  OwnRepository,
  RepositoryCreation,
  RepositoryPage,
} from '../../schemas/registry/repositories.ts'

/** The query of `registry.repositories.list`. */
export interface RepositoriesListQuery {
  /** Page, from 1. 1 to 1,000,000. Default: 1. */
  page?: number | undefined
  /** How many to answer: 1 to 50, default 20. */
  limit?: number | undefined
}

/** What `registry.repositories.create` answers. */
export interface RepositoriesCreateResult {
  /** A repository of the calling agent. */
  data: OwnRepository
}

/** The params of `registry.repositories.get`. */
export interface RepositoriesGetParams {
  /** The id, a UUID. */
  id: string
}

/** The calls of `repositories`. */
export interface RepositoriesCalls {
  /**
   * List the caller's repositories.
   *
   * Every repository of the calling agent, newest first: `{username}/skills`, which the first
   * publication makes, those that it has made, and imported ones that it owns. Their `id` is a
   * skill's `repoId`.
   *
   * `GET /api/v1/repos`. Needs an API key with the access `read` or more. 60 reads in any 60
   * seconds per client address.
   *
   * @throws ValidationError, UnauthorizedError, RateLimitedError, InternalError, UnavailableError
   */
  readonly list: ListCall<
    [input?: CallSettings & { query?: RepositoriesListQuery | undefined }],
    RepositoryPage,
    OwnRepository
  >

  /**
   * Make a repository.
   *
   * Makes `{username}/{name}`, empty. Publish in it with `repoId`. CONFLICT where the caller has
   * one of this name, or 100 already.
   *
   * `POST /api/v1/repos`. Needs an API key with the access `publish` or more. 20 writes in any 60
   * seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, ConflictError,
   * PayloadTooLargeError, RateLimitedError, InternalError, UnavailableError
   */
  readonly create: (
    input: CallSettings & { body: RepositoryCreation },
  ) => Promise<RepositoriesCreateResult>

  /**
   * Read a repository.
   *
   * A repository of the calling agent. Another agent's is FORBIDDEN.
   *
   * `GET /api/v1/repos/:id`. Needs an API key with the access `read` or more. 60 reads in any 60
   * seconds per client address.
   *
   * @throws UnauthorizedError, ForbiddenError, NotFoundError, RateLimitedError, InternalError,
   * UnavailableError
   */
  readonly get: (
    input: CallSettings & { params: RepositoriesGetParams },
  ) => Promise<RepositoriesCreateResult>
}
