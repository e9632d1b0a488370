// Generated from the contract by `npm run generate`: change that, not this file.

/** An event. Others may be added: ignore those. */
export type WebhookEvent = AppDeauthorizedEvent | EndpointValidationEvent

/**
 * The app has lost access to the data of a user: the user or an admin removed it, an admin
 * withdrew its approval, or the user was removed from the account.
 */
export interface AppDeauthorizedEvent {
  /** What happened. */
  event: 'app_deauthorized'
  /** When it happened, in milliseconds since 1970; the same at every attempt. */
  event_ts: number
  /** Which user no longer has which app. */
  payload: {
    /** The account of the user. For example `de300000-0000-4000-8000-000000000010`. */
    account_id: string
    /**
     * The user who no longer has the app: delete all data about this user. For example
     * `de300000-0000-4000-8000-000000000011`.
     */
    user_id: string
    /**
     * Hex HMAC-SHA256 of `{client_id}:{user_id}:{account_id}:{deauthorization_time}` under the
     * secret token of the time of the event.
     */
    signature: string
    /** ISO 8601, UTC. */
    deauthorization_time: string
    /** The client id of the app that was removed. For example `Zk3vT1nQx8sR5mWc2yLb7g`. */
    client_id: string
  }
}

/** Asks an endpoint to show that it has the secret token. */
export interface EndpointValidationEvent {
  /** What is asked. */
  event: 'endpoint.url_validation'
  /** When it happened, in milliseconds since 1970; the same at every attempt. */
  event_ts: number
  /** What to answer with. */
  payload: {
    /** Random text, to be sent back. For example `q9ibPhGeRZ6ayx5WTrXjRw`. */
    plainToken: string
  }
}

/** Shows that the endpoint has the secret token. */
export interface EndpointValidationAnswer {
  /** As it came. For example `q9ibPhGeRZ6ayx5WTrXjRw`. */
  plainToken: string
  /** Hex HMAC-SHA256 of `plainToken` under the secret token. */
  encryptedToken: string
}
