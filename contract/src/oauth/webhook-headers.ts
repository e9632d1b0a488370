/** Headers of a delivery (spec/decisions.md#webhooks). */
export const webhookHeaders = {
  /** Time of the attempt in whole seconds since 1970. */
  timestamp: 'x-zm-request-timestamp',
  /** `v0=` and the hex HMAC-SHA256 of `v0:{timestamp}:{body}`. */
  signature: 'x-zm-signature',
  /** Id of the event, the same in every attempt (Standard Webhooks). */
  standardId: 'webhook-id',
  /** Equals `timestamp` (Standard Webhooks). */
  standardTimestamp: 'webhook-timestamp',
  /**
   * `v1,` and the base64 HMAC-SHA256 of `{id}.{timestamp}.{body}`. Several values during a
   * rotation.
   */
  standardSignature: 'webhook-signature',
} as const
