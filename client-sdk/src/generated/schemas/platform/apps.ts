// Generated from the contract by `npm run generate`: change that, not this file.

/** An app, without its secrets. */
export interface App {
  /** The id. For example `de300000-0000-4000-8000-000000000021`. */
  id: string
  /** As users see it; unique in its account. For example `Scheduler`. */
  name: string
  /** What it may do: `general` apps have users, the others act by themselves. */
  type: 'general' | 'server-to-server' | 'chatbot'
  /** Whether any user authorizes it for the own data, or an admin for the account. */
  level: 'user' | 'account'
  /** `public` apps are for users of all accounts, others for the own. */
  visibility: 'public' | 'private' | 'development'
  /** Whether it may use the device grant. */
  device_flow: boolean
  /** Whether it has no secret to keep; then it must use PKCE with S256. */
  public_client: boolean
  /** Whether every authorization request must bring an S256 challenge. */
  require_s256: boolean
  /** Whether all its tokens are refused. */
  disabled: boolean
  /** When it was made: ISO 8601, UTC. */
  created_at: string
  /** Id of the user who made it; null where the operator has declared it. */
  created_by: string | null
  /** Where its webhooks go. */
  deauthorization_url: string | null
  /** Whether this address has answered the validation request. */
  deauthorization_url_validated: boolean
  /** For users of the own account alone. */
  development: AppClient
  /** For all users of the app. */
  production: AppClient
}

/** One of the two sets of credentials of an app. */
export interface AppClient {
  /** The client id. For example `demo-scheduler`. */
  client_id: string
  /** Scopes that users must allow. For example `["user:read:user"]`. */
  scopes: string[]
  /** Granular scopes that users may leave out. For example `["meeting:write:meeting"]`. */
  optional_scopes: string[]
  /**
   * Where users may be sent back to, compared to the letter: https, http on this machine, or the
   * scheme of an installed app after a domain (`com.example.app:/callback`). The operator can
   * register others. For example `["http://127.0.0.1:8090/callback"]`.
   */
  redirect_uris: string[]
}

/** An app to register. By default it is for users, private and without device flow. */
export interface AppRegistration {
  /** As users see it; unique in its account. 1 to 100 characters. For example `Scheduler`. */
  name: string
  /** What it may do: `general` apps have users, the others act by themselves. */
  type: 'general' | 'server-to-server' | 'chatbot'
  /** Whether any user authorizes it for the own data, or an admin for the account. */
  level?: 'user' | 'account' | undefined
  /** `public` apps are for users of all accounts, others for the own. */
  visibility?: 'public' | 'private' | 'development' | undefined
  /** Whether it may use the device grant. */
  device_flow?: boolean | undefined
  /** Whether it has no secret to keep; then it must use PKCE with S256. */
  public_client?: boolean | undefined
  /** Whether every authorization request must bring an S256 challenge. */
  require_s256?: boolean | undefined
  /** Where its webhooks go. */
  deauthorization_url?: string | null | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  development?: AppClientChanges | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  production?: AppClientChanges | undefined
}

/** What to register for one set of credentials; what is left out stays as it is. */
export interface AppClientChanges {
  /** Scopes that users must allow. At most 100 items. For example `["user:read:user"]`. */
  scopes?: string[] | undefined
  /**
   * Granular scopes that users may leave out. At most 100 items. For example
   * `["meeting:write:meeting"]`.
   */
  optional_scopes?: string[] | undefined
  /**
   * Where users may be sent back to, compared to the letter: https, http on this machine, or the
   * scheme of an installed app after a domain (`com.example.app:/callback`). The operator can
   * register others. At most 50 items. For example `["http://127.0.0.1:8090/callback"]`.
   */
  redirect_uris?: string[] | undefined
}

/** A new app. Its secrets are shown here alone. */
export interface RegisteredApp {
  /** The id. For example `de300000-0000-4000-8000-000000000021`. */
  id: string
  /** As users see it; unique in its account. For example `Scheduler`. */
  name: string
  /** What it may do: `general` apps have users, the others act by themselves. */
  type: 'general' | 'server-to-server' | 'chatbot'
  /** Whether any user authorizes it for the own data, or an admin for the account. */
  level: 'user' | 'account'
  /** `public` apps are for users of all accounts, others for the own. */
  visibility: 'public' | 'private' | 'development'
  /** Whether it may use the device grant. */
  device_flow: boolean
  /** Whether it has no secret to keep; then it must use PKCE with S256. */
  public_client: boolean
  /** Whether every authorization request must bring an S256 challenge. */
  require_s256: boolean
  /** Whether all its tokens are refused. */
  disabled: boolean
  /** When it was made: ISO 8601, UTC. */
  created_at: string
  /** Id of the user who made it; null where the operator has declared it. */
  created_by: string | null
  /** Where its webhooks go. */
  deauthorization_url: string | null
  /** Whether this address has answered the validation request. */
  deauthorization_url_validated: boolean
  /** What its webhooks are signed with. Shown in this answer alone. For example `swt_EXAMPLE`. */
  secret_token: string
  /** For users of the own account alone. */
  development: NewAppClient
  /** For all users of the app. */
  production: NewAppClient
}

/** Credentials that have just been made. */
export interface NewAppClient extends AppClient {
  /** The client secret. Shown in this answer alone. For example `scs_EXAMPLE`. */
  client_secret: string
}

/** Changes to an app; its type cannot change. */
export interface AppChanges {
  /** As users see it; unique in its account. 1 to 100 characters. For example `Scheduler`. */
  name?: string | undefined
  /** Whether any user authorizes it for the own data, or an admin for the account. */
  level?: 'user' | 'account' | undefined
  /** `public` apps are for users of all accounts, others for the own. */
  visibility?: 'public' | 'private' | 'development' | undefined
  /** Whether it may use the device grant. */
  device_flow?: boolean | undefined
  /** Whether it has no secret to keep; then it must use PKCE with S256. */
  public_client?: boolean | undefined
  /** Whether every authorization request must bring an S256 challenge. */
  require_s256?: boolean | undefined
  /** Where its webhooks go. */
  deauthorization_url?: string | null | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  development?: AppClientChanges | undefined
  /** What to register for one set of credentials; what is left out stays as it is. */
  production?: AppClientChanges | undefined
  /** Whether all its tokens are refused. */
  disabled?: boolean | undefined
}

/** One of the two sets of credentials. */
export interface AppEnvironment {
  /** Which set of credentials: `development` works for users of the own account alone. */
  environment: 'development' | 'production'
}

/** A new client secret. */
export interface RotatedClientSecret {
  /** The client id. For example `demo-scheduler`. */
  client_id: string
  /** The client secret. Shown in this answer alone. For example `scs_EXAMPLE`. */
  client_secret: string
  /** Until when the former one is good: ISO 8601, UTC. Those before it have ended. */
  previous_expires_at: string
}

/** A new secret for webhooks. */
export interface RotatedSecretToken {
  /** What its webhooks are signed with. Shown in this answer alone. For example `swt_EXAMPLE`. */
  secret_token: string
  /** Until when the former one is good: ISO 8601, UTC. Those before it have ended. */
  previous_expires_at: string
}

/** What a migration of scopes would do. */
export interface MigrationPreview {
  /** Every classic scope that is registered. */
  changes: {
    /** A classic scope. For example `meeting:write`. */
    from: string
    /** The granular scopes in its place, of the same level. */
    to: string[]
  }[]
  /** What would be registered then. */
  scopes: string[]
  /** What users could leave out then. For example `["user:read:user"]`. */
  optional_scopes: string[]
  /** Authorizations that keep classic scopes until their users authorize again. */
  grants_keeping_classic: number
  /** Why it cannot be done now; null where it can. */
  obstacle: 'nothing-to-migrate' | 'development-first' | null
}
