// Generated from the contract by `npm run generate`: change that, not this file.

/** The endpoint answered as it should. */
export interface EndpointValidation {
  /** The endpoint has the secret token. */
  status: 'valid'
}

/** An event for the endpoint of an app. */
export interface Delivery {
  /** The id, which stays over all attempts. For example `de300000-0000-4000-8000-000000000031`. */
  id: string
  /** What happened. For example `app_deauthorized`. */
  event: string
  /** When it happened: ISO 8601, UTC. */
  created_at: string
  /** `failed` after three days of attempts. */
  status: 'pending' | 'delivered' | 'failed'
  /** When it is tried again; null where it is not. ISO 8601, UTC. */
  next_attempt_at: string | null
  /** The last 20, in the order in which they were made. */
  attempts: DeliveryAttempt[]
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** When it began: ISO 8601, UTC. */
  at: string
  /** How long it took. */
  duration_ms: number
  /** What the endpoint answered; null where no answer came. */
  status: number | null
  /** What was wrong; null where nothing was. */
  error: string | null
}
