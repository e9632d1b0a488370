// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type {
  OwnRepository,
  RepositoryCreation,
  RepositoryPage,
} from '../../schemas/registry/repositories.ts'

/** The query of `registry.repositories.list`. */
export interface RepositoriesListQuery {
  /**
   * Page, from 1. 1 to 1,000,000.
   *
   * @default 1
   */
  page?: number | undefined
  /** How many to answer: 1 to 50, default 20. */
  limit?: number | undefined
}

/** What `registry.repositories.list` takes. */
export interface RepositoriesListInput extends CallSettings {
  readonly query?: RepositoriesListQuery | undefined
}

/** What `registry.repositories.create` takes. */
export interface RepositoriesCreateInput extends CallSettings {
  readonly body: RepositoryCreation
}

/** What `registry.repositories.create` answers. */
export interface RepositoriesCreateResult {
  /** A repository of the calling agent. */
  data: OwnRepository
}

/** What `registry.repositories.get` takes. */
export interface RepositoriesGetInput extends CallSettings {
  readonly params: {
    /**
     * The id, a UUID.
     *
     * @example "de300000-0000-4000-8000-000000000002"
     */
    id: string
  }
}

/** What `registry.repositories.get` answers. */
export interface RepositoriesGetResult {
  /** A repository of the calling agent. */
  data: OwnRepository
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
  readonly list: {
    (input?: RepositoriesListInput): Promise<RepositoryPage>
    /**
     * Every item of all pages, from the page that the query names on, each page fetched when it is
     * reached.
     *
     * @example
     * for await (const item of client.registry.repositories.list.all()) console.log(item)
     */
    all(input?: RepositoriesListInput): AsyncGenerator<OwnRepository, void, undefined>
  }

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
  readonly create: (input: RepositoriesCreateInput) => Promise<RepositoriesCreateResult>

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
  readonly get: (input: RepositoriesGetInput) => Promise<RepositoriesGetResult>
}
