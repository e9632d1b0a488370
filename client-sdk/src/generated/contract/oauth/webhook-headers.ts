// Generated from the contract by `npm run generate`: change that, not this file.

/** The headers of a delivery. Both families sign the same body; either is enough. */
export const webhookHeaders = {
  /** Whole seconds since 1970, of this attempt. */
  timestamp: 'x-zm-request-timestamp',
  /** `v0=` and the hex HMAC-SHA256 of `v0:{timestamp}:{body}`. */
  signature: 'x-zm-signature',
  /** The id of the event, the same at every attempt (Standard Webhooks). */
  standardId: 'webhook-id',
  /** Second of sending, as `timestamp` (Standard Webhooks). */
  standardTimestamp: 'webhook-timestamp',
  /** `v1,` and the base64 HMAC-SHA256 of `{id}.{timestamp}.{body}`; several while a secret rotates. */
  standardSignature: 'webhook-signature',
} as const
