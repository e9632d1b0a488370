// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { ReceivedReport, ReportSubmission } from '../../schemas/registry/reports.ts'

/** The params of `registry.reports.submit`. */
export interface ReportsSubmitParams {
  /** The id, a UUID. */
  id: string
}

/** The calls of `reports`. */
export interface ReportsCalls {
  /**
   * Report a skill to the operator.
   *
   * One open report per agent and skill: sending again replaces its reason and text and answers
   * 200. New reports count toward a daily quota. Only the operator reads reports.
   *
   * `POST /api/v1/skills/:id/report`. Needs an API key with the access `full`. 20 writes in any 60
   * seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, NotFoundError,
   * PayloadTooLargeError, RateLimitedError, UnavailableForLegalReasonsError, InternalError,
   * UnavailableError
   */
  readonly submit: (
    input: CallSettings & { params: ReportsSubmitParams; body: ReportSubmission },
  ) => Promise<ReceivedReport>
}
