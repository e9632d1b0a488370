// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings, ListCall } from '../../../call.ts'
import type {
  App,
  AppChanges,
  AppEnvironment,
  AppRegistration,
  MigrationPreview,
  RegisteredApp,
  RotatedClientSecret,
  RotatedSecretToken,
} from '../../schemas/platform/apps.ts'

/** The query of `platform.apps.list`. */
export interface AppsListQuery {
  /** Most entries of a page, 300 at most. Default: 30. */
  page_size?: number | undefined
  /** Of the page before, of the same list; empty for the first. At most 1,000 characters. */
  next_page_token?: string | undefined
  /** Pages have no numbers here: 1 is the first, any other is refused. */
  page_number?: 1 | undefined
}

/** What `platform.apps.list` answers. */
export interface AppsListResult {
  /** As asked for. */
  page_size: number
  /** Asks for the next page; empty on the last. */
  next_page_token: string
  /** On all pages together. */
  total_records: number
  /** The apps of this page. */
  apps: App[]
}

/** The params of `platform.apps.get`. */
export interface AppsGetParams {
  /**
   * The id of the app; one that the caller does not manage is not found. For example
   * `de300000-0000-4000-8000-000000000021`.
   */
  appId: string
}

/** The query of `platform.apps.rotateClientSecret`. */
export interface AppsRotateClientSecretQuery {
  /** Ends the former secret now instead of in 24 hours: for one that has leaked. Default: "false". */
  end_previous?: 'true' | 'false' | undefined
}

/** The query of `platform.apps.previewMigration`. */
export interface AppsPreviewMigrationQuery {
  /** Which set of credentials: `development` works for users of the own account alone. */
  environment: 'development' | 'production'
}

/** The calls of `apps`. */
export interface AppsCalls {
  /**
   * List apps.
   *
   * By name. With an admin scope all apps of the account; else those that the user has made, or
   * for an account token the head of the account.
   *
   * `GET /v2/marketplace/apps`. Needs an access token with one of the scopes
   * `marketplace:read:app`, `marketplace:read:app:admin`, `marketplace:read:app:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 429, 500, 503)
   */
  readonly list: ListCall<
    [input?: CallSettings & { query?: AppsListQuery | undefined }],
    AppsListResult,
    App
  >

  /**
   * Register an app.
   *
   * Makes both sets of credentials. Secrets are shown in this answer alone. New apps have granular
   * scopes; server-to-server apps, which act for the account, take an admin scope and are given no
   * scope by a token that the token has not itself: 403. Chatbots are registered in the console,
   * since no token has their scope: 403. A name that speaks for the service, such as "Official
   * Support": 400. A name that the account has already, and more than 500 apps of one user: 409.
   *
   * `POST /v2/marketplace/apps`. Needs an access token with one of the scopes
   * `marketplace:write:app`, `marketplace:write:app:admin`, `marketplace:write:app:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 409, 413, 429, 500, 503)
   */
  readonly register: (input: CallSettings & { body: AppRegistration }) => Promise<RegisteredApp>

  /**
   * Read an app.
   *
   * Its settings and both sets of credentials, without the secrets.
   *
   * `GET /v2/marketplace/apps/:appId`. Needs an access token with one of the scopes
   * `marketplace:read:app`, `marketplace:read:app:admin`, `marketplace:read:app:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (401, 403, 404, 429, 500, 503)
   */
  readonly get: (input: CallSettings & { params: AppsGetParams }) => Promise<App>

  /**
   * Change an app.
   *
   * What is left out stays as it is. A public client requires S256 as well. Tokens keep the scopes
   * that they have, but none is refreshed whose scopes the app no longer has. The scopes of a
   * server-to-server app are changed by a token only where it has all of them, the former ones
   * too: 403. What the operator has disabled stays so, and for its developer what an admin has:
   * 409.
   *
   * `PATCH /v2/marketplace/apps/:appId`. Needs an access token with one of the scopes
   * `marketplace:write:app`, `marketplace:write:app:admin`, `marketplace:write:app:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 409, 413, 429, 500, 503)
   */
  readonly update: (
    input: CallSettings & { params: AppsGetParams; body: AppChanges },
  ) => Promise<App>

  /**
   * Give an app a new client secret.
   *
   * The former one is good for 24 hours more, or until the next rotation. By a token, that of a
   * server-to-server app takes all the scopes of the app, and that of a chatbot is rotated in the
   * console: 403.
   *
   * `POST /v2/marketplace/apps/:appId/rotate_client_secret`. Needs an access token with one of the
   * scopes `marketplace:write:app`, `marketplace:write:app:admin`, `marketplace:write:app:master`.
   * 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 413, 429, 500, 503)
   */
  readonly rotateClientSecret: (
    input: CallSettings & {
      params: AppsGetParams
      query?: AppsRotateClientSecretQuery | undefined
      body: AppEnvironment
    },
  ) => Promise<RotatedClientSecret>

  /**
   * Give the webhooks of an app a new secret.
   *
   * For 24 hours more, or until the next rotation, webhooks bear the signature of the former one
   * too.
   *
   * `POST /v2/marketplace/apps/:appId/rotate_secret_token`. Needs an access token with one of the
   * scopes `marketplace:write:app`, `marketplace:write:app:admin`, `marketplace:write:app:master`.
   * 6,000 calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly rotateSecretToken: (
    input: CallSettings & {
      params: AppsGetParams
      query?: AppsRotateClientSecretQuery | undefined
    },
  ) => Promise<RotatedSecretToken>

  /**
   * See what a migration to granular scopes would do.
   *
   * Each classic scope with those that take its place, and how many grants keep classic scopes
   * until their users authorize again.
   *
   * `GET /v2/marketplace/apps/:appId/migration`. Needs an access token with one of the scopes
   * `marketplace:read:app`, `marketplace:read:app:admin`, `marketplace:read:app:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 429, 500, 503)
   */
  readonly previewMigration: (
    input: CallSettings & { params: AppsGetParams; query: AppsPreviewMigrationQuery },
  ) => Promise<MigrationPreview>

  /**
   * Migrate an app to granular scopes.
   *
   * Development first, then production: 409 the other way round, and where nothing is classic.
   * Tokens keep their classic scopes until their users authorize again.
   *
   * `POST /v2/marketplace/apps/:appId/migration`. Needs an access token with one of the scopes
   * `marketplace:write:app`, `marketplace:write:app:admin`, `marketplace:write:app:master`. 6,000
   * calls in any 60 seconds per app and user.
   *
   * @throws PlatformRequestError (400, 401, 403, 404, 409, 413, 429, 500, 503)
   */
  readonly migrate: (
    input: CallSettings & { params: AppsGetParams; body: AppEnvironment },
  ) => Promise<App>
}
