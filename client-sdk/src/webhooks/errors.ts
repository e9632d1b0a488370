import { SkillpassError } from '../errors.ts'

/**
 * Why a delivery is refused: its headers are not there, its time is too far from now, no signature
 * fits, or what it holds is not of the form that it should have.
 */
export type WebhookRefusal = 'missing-headers' | 'stale' | 'signature' | 'malformed'

/** A delivery did not come from the platform, or not now: answer 401 and do nothing. */
export class WebhookVerificationError extends SkillpassError {
  override readonly name = 'WebhookVerificationError'
  override readonly code = 'WEBHOOK_VERIFICATION'
  /** Why, for the log; tell the sender nothing of it. */
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string, cause?: unknown) {
    super({ message, cause })
    this.reason = reason
  }
}
