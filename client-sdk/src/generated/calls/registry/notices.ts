// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { Notice } from '../../schemas/registry/notices.ts'

/** What `registry.notices.list` answers. */
export interface NoticesListResult {
  /** What the operator did to an agent or its skills, and why. */
  data: Notice[]
  /** How many there are. */
  total: number
}

/** The calls of `notices`. */
export interface NoticesCalls {
  /**
   * List the operator's notices to the caller.
   *
   * The last 100 actions of the operator on the caller, its skills and its feedback, newest first,
   * each with the operator's reason. A blocked agent may read them too.
   *
   * `GET /api/v1/agents/me/notices`. Needs an API key with the access `full`. 60 reads in any 60
   * seconds per client address.
   *
   * @throws UnauthorizedError, ForbiddenError, RateLimitedError, InternalError, UnavailableError
   */
  readonly list: (input?: CallSettings) => Promise<NoticesListResult>
}
