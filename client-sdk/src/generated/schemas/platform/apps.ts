// Generated from the contract by `npm run generate`: change that, not this file.

/** An app, without its secrets. */
export interface App {
  /**
   * The id.
   *
   * @example "de300000-0000-4000-8000-000000000021"
   */
  id: string
  /**
   * As users see it; unique in its account.
   *
   * @example "Scheduler"
   */
  name: string
  /**
   * What it may do: `general` apps have users, the others act by themselves.
   *
   * @example "general"
   */
  type: 'general' | 'server-to-server' | 'chatbot'
  /**
   * Whether any user authorizes it for the own data, or an admin for the account.
   *
   * @example "user"
   */
  level: 'user' | 'account'
  /**
   * `public` apps are for users of all accounts, others for the own.
   *
   * @example "private"
   */
  visibility: 'public' | 'private' | 'development'
  /**
   * Whether it may use the device grant.
   *
   * @example false
   */
  device_flow: boolean
  /**
   * Whether it has no secret to keep; then it must use PKCE with S256.
   *
   * @example false
   */
  public_client: boolean
  /**
   * Whether every authorization request must bring an S256 challenge.
   *
   * @example false
   */
  require_s256: boolean
  /**
   * Whether all its tokens are refused.
   *
   * @example false
   */
  disabled: boolean
  /**
   * When it was made: ISO 8601, UTC.
   *
   * @example "2026-11-21T09:30:00.000Z"
   */
  created_at: string
  /**
   * Id of the user who made it; null where the operator has declared it.
   *
   * @example "de300000-0000-4000-8000-000000000011"
   */
  created_by: string | null
  /**
   * Where its webhooks go.
   *
   * @example "https://app.example.com/events"
   */
  deauthorization_url: string | null
  /**
   * Whether this address has answered the validation request.
   *
   * @example true
   */
  deauthorization_url_validated: boolean
  /** For users of the own account alone. */
  development: AppClient
  /** For all users of the app. */
  production: AppClient
}

/** One of the two sets of credentials of an app. */
export interface AppClient {
  /**
   * The client id.
   *
   * @example "demo-scheduler"
   */
  client_id: string
  /**
   * Scopes that users must allow.
   *
   * @example ["user:read:user"]
   */
  scopes: string[]
  /**
   * Granular scopes that users may leave out.
   *
   * @example ["meeting:write:meeting"]
   */
  optional_scopes: string[]
  /**
   * Where users may be sent back to, compared to the letter: https, http on this machine, or the
   * scheme of an installed app after a domain (`com.example.app:/callback`). The operator can
   * register others.
   *
   * @example ["http://127.0.0.1:8090/callback"]
   */
  redirect_uris: string[]
}

/** An app to register. By default it is for users, private and without device flow. */
export interface AppRegistration {
  /**
   * As users see it; unique in its account. 1 to 100 characters.
   *
   * @example "Scheduler"
   */
  name: string
  /**
   * What it may do: `general` apps have users, the others act by themselves.
   *
   * @example "general"
   */
  type: 'general' | 'server-to-server' | 'chatbot'
  /**
   * Whether any user authorizes it for the own data, or an admin for the account.
   *
   * @example "user"
   */
  level?: 'user' | 'account' | undefined
  /**
   * `public` apps are for users of all accounts, others for the own.
   *
   * @example "private"
   */
  visibility?: 'public' | 'private' | 'development' | undefined
  /**
   * Whether it may use the device grant.
   *
   * @example false
   */
  device_flow?: boolean | undefined
  /**
   * Whether it has no secret to keep; then it must use PKCE with S256.
   *
   * @example false
   */
  public_client?: boolean | undefined
  /**
   * Whether every authorization request must bring an S256 challenge.
   *
   * @example false
   */
  require_s256?: boolean | undefined
  /**
   * Where its webhooks go.
   *
   * @example "https://app.example.com/events"
   */
  deauthorization_url?: string | null | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  development?: AppClientChanges | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  production?: AppClientChanges | undefined
}

/** What to register for one set of credentials; what is left out stays as it is. */
export interface AppClientChanges {
  /**
   * Scopes that users must allow. At most 100 items.
   *
   * @example ["user:read:user"]
   */
  scopes?: string[] | undefined
  /**
   * Granular scopes that users may leave out. At most 100 items.
   *
   * @example ["meeting:write:meeting"]
   */
  optional_scopes?: string[] | undefined
  /**
   * Where users may be sent back to, compared to the letter: https, http on this machine, or the
   * scheme of an installed app after a domain (`com.example.app:/callback`). The operator can
   * register others. At most 50 items.
   *
   * @example ["http://127.0.0.1:8090/callback"]
   */
  redirect_uris?: string[] | undefined
}

/** A new app. Its secrets are shown here alone. */
export interface RegisteredApp {
  /**
   * The id.
   *
   * @example "de300000-0000-4000-8000-000000000021"
   */
  id: string
  /**
   * As users see it; unique in its account.
   *
   * @example "Scheduler"
   */
  name: string
  /**
   * What it may do: `general` apps have users, the others act by themselves.
   *
   * @example "general"
   */
  type: 'general' | 'server-to-server' | 'chatbot'
  /**
   * Whether any user authorizes it for the own data, or an admin for the account.
   *
   * @example "user"
   */
  level: 'user' | 'account'
  /**
   * `public` apps are for users of all accounts, others for the own.
   *
   * @example "private"
   */
  visibility: 'public' | 'private' | 'development'
  /**
   * Whether it may use the device grant.
   *
   * @example false
   */
  device_flow: boolean
  /**
   * Whether it has no secret to keep; then it must use PKCE with S256.
   *
   * @example false
   */
  public_client: boolean
  /**
   * Whether every authorization request must bring an S256 challenge.
   *
   * @example false
   */
  require_s256: boolean
  /**
   * Whether all its tokens are refused.
   *
   * @example false
   */
  disabled: boolean
  /**
   * When it was made: ISO 8601, UTC.
   *
   * @example "2026-11-21T09:30:00.000Z"
   */
  created_at: string
  /**
   * Id of the user who made it; null where the operator has declared it.
   *
   * @example "de300000-0000-4000-8000-000000000011"
   */
  created_by: string | null
  /**
   * Where its webhooks go.
   *
   * @example "https://app.example.com/events"
   */
  deauthorization_url: string | null
  /**
   * Whether this address has answered the validation request.
   *
   * @example true
   */
  deauthorization_url_validated: boolean
  /**
   * What its webhooks are signed with. Shown in this answer alone.
   *
   * @example "swt_EXAMPLE"
   */
  secret_token: string
  /** For users of the own account alone. */
  development: NewAppClient
  /** For all users of the app. */
  production: NewAppClient
}

/** Credentials that have just been made. */
export interface NewAppClient {
  /**
   * The client id.
   *
   * @example "demo-scheduler"
   */
  client_id: string
  /**
   * Scopes that users must allow.
   *
   * @example ["user:read:user"]
   */
  scopes: string[]
  /**
   * Granular scopes that users may leave out.
   *
   * @example ["meeting:write:meeting"]
   */
  optional_scopes: string[]
  /**
   * Where users may be sent back to, compared to the letter: https, http on this machine, or the
   * scheme of an installed app after a domain (`com.example.app:/callback`). The operator can
   * register others.
   *
   * @example ["http://127.0.0.1:8090/callback"]
   */
  redirect_uris: string[]
  /**
   * The client secret. Shown in this answer alone.
   *
   * @example "scs_EXAMPLE"
   */
  client_secret: string
}

/** Changes to an app; its type cannot change. */
export interface AppChanges {
  /**
   * As users see it; unique in its account. 1 to 100 characters.
   *
   * @example "Scheduler"
   */
  name?: string | undefined
  /**
   * Whether any user authorizes it for the own data, or an admin for the account.
   *
   * @example "user"
   */
  level?: 'user' | 'account' | undefined
  /**
   * `public` apps are for users of all accounts, others for the own.
   *
   * @example "private"
   */
  visibility?: 'public' | 'private' | 'development' | undefined
  /**
   * Whether it may use the device grant.
   *
   * @example false
   */
  device_flow?: boolean | undefined
  /**
   * Whether it has no secret to keep; then it must use PKCE with S256.
   *
   * @example false
   */
  public_client?: boolean | undefined
  /**
   * Whether every authorization request must bring an S256 challenge.
   *
   * @example false
   */
  require_s256?: boolean | undefined
  /**
   * Where its webhooks go.
   *
   * @example "https://app.example.com/events"
   */
  deauthorization_url?: string | null | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  development?: AppClientChanges | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  production?: AppClientChanges | undefined
  /**
   * Whether all its tokens are refused.
   *
   * @example false
   */
  disabled?: boolean | undefined
}

/** One of the two sets of credentials. */
export interface AppEnvironment {
  /**
   * Which set of credentials: `development` works for users of the own account alone.
   *
   * @example "development"
   */
  environment: 'development' | 'production'
}

/** A new client secret. */
export interface RotatedClientSecret {
  /**
   * The client id.
   *
   * @example "demo-scheduler"
   */
  client_id: string
  /**
   * The client secret. Shown in this answer alone.
   *
   * @example "scs_EXAMPLE"
   */
  client_secret: string
  /**
   * Until when the former one is good: ISO 8601, UTC. Those before it have ended.
   *
   * @example "2026-11-22T09:30:00.000Z"
   */
  previous_expires_at: string
}

/** A new secret for webhooks. */
export interface RotatedSecretToken {
  /**
   * What its webhooks are signed with. Shown in this answer alone.
   *
   * @example "swt_EXAMPLE"
   */
  secret_token: string
  /**
   * Until when the former one is good: ISO 8601, UTC. Those before it have ended.
   *
   * @example "2026-11-22T09:30:00.000Z"
   */
  previous_expires_at: string
}

/** What a migration of scopes would do. */
export interface MigrationPreview {
  /** Every classic scope that is registered. */
  changes: {
    /**
     * A classic scope.
     *
     * @example "meeting:write"
     */
    from: string
    /**
     * The granular scopes in its place, of the same level.
     *
     * @example ["meeting:write:meeting","meeting:read:meeting","meeting:delete:meeting"]
     */
    to: string[]
  }[]
  /**
   * What would be registered then.
   *
   * @example ["meeting:write:meeting","meeting:read:meeting","meeting:delete:meeting"]
   */
  scopes: string[]
  /**
   * What users could leave out then.
   *
   * @example ["user:read:user"]
   */
  optional_scopes: string[]
  /**
   * Authorizations that keep classic scopes until their users authorize again.
   *
   * @example 12
   */
  grants_keeping_classic: number
  /**
   * Why it cannot be done now; null where it can.
   *
   * @example "development-first"
   */
  obstacle: 'nothing-to-migrate' | 'development-first' | null
}
