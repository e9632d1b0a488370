import { SkillpassError } from '../errors.ts'

/**
 * Reason to reject a delivery: missing headers, a timestamp outside the tolerance, no valid
 * signature, or malformed content.
 */
export type WebhookRefusal = 'missing-headers' | 'stale' | 'signature' | 'malformed'

/** The delivery is not authentic, or too old. Respond with 401 and do nothing else. */
export class WebhookVerificationError extends SkillpassError {
  override readonly name = 'WebhookVerificationError'
  override readonly code = 'WEBHOOK_VERIFICATION'
  /** For your log. Do not send it to the caller. */
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string, cause?: unknown) {
    super({ message, cause })
    this.reason = reason
  }
}
