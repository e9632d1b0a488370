// Generated from the contract by `npm run generate`: change that, not this file.

/** What an account decides about an app. */
export interface AppApproval {
  /** The app. For example `de300000-0000-4000-8000-000000000021`. */
  app_id: string
  /** Its name. For example `Scheduler`. */
  app_name: string
  /** The account that made it. For example `Acme`. */
  developer_name: string
  /** Scopes that it asks users for, and that they must allow. For example `["user:read:user"]`. */
  scopes: string[]
  /** Scopes that users may leave out. For example `["meeting:write:meeting"]`. */
  optional_scopes: string[]
  /**
   * The app as it was approved; null without an approval. With another name, or to ask users for
   * more, the app needs a new one.
   */
  approved: {
    /** The name that it had. For example `Scheduler`. */
    app_name: string
    /** All scopes that it asked for, the optional ones included. For example `["user:read:user"]`. */
    scopes: string[]
  } | null
  /** Where the approval stands. */
  state: 'requested' | 'approved' | 'declined' | 'withdrawn'
  /** Email of the user who asked for it; null where nobody did. */
  requested_by: string | null
  /** When: ISO 8601, UTC. */
  requested_at: string | null
  /** When it was decided; null while it waits. ISO 8601, UTC. */
  decided_at: string | null
}

/** What an account decides about an app. */
export interface AppDecision {
  /** What the account decides. */
  state: 'approved' | 'declined' | 'withdrawn'
  /**
   * The name that you saw. If the app to approve has another one by now: 409. For example
   * `Scheduler`.
   */
  app_name?: string | undefined
  /**
   * The scopes that you saw, the optional ones included. If the app to approve asks for more by
   * now: 409.
   */
  scopes?: string[] | undefined
}

/** What the account asks of apps. */
export interface MarketplaceSettings {
  /** Whether an admin approves an app before users may authorize it. */
  require_app_approval: boolean
}
