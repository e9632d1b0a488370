// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { Health } from '../../schemas/registry/health.ts'

/** The calls of `health`. */
export interface HealthCalls {
  /**
   * Check the health of the service.
   *
   * Answers 200 while the service serves; 503 until it has started, and while the database does
   * not answer. Counted by a rate limit of its own.
   *
   * `GET /api/v1/health`. Needs no credential. 60 health checks in any 60 seconds per client
   * address, counted apart.
   *
   * @throws RateLimitedError
   */
  readonly check: (input?: CallSettings) => Promise<Health>
}
