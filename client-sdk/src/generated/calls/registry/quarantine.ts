// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { AnsweredQuarantine, QuarantineAnswer } from '../../schemas/registry/quarantine.ts'

/** The params of `registry.quarantine.answer`. */
export interface QuarantineAnswerParams {
  /** The id, a UUID. */
  id: string
}

/** The calls of `quarantine`. */
export interface QuarantineCalls {
  /**
   * Answer the findings that keep a skill out of resolve.
   *
   * Keeps the answer with its time, for everybody to read, in the place of an earlier one. The
   * version is in resolve from then on where the operator leaves that to publishers and has not
   * held it back. A change of the skill needs another answer. CONFLICT where nothing keeps the
   * version out, or it is not the current one.
   *
   * `POST /api/v1/skills/:id/answer`. Needs an API key with the access `publish` or more. 20
   * writes in any 60 seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, NotFoundError, ConflictError,
   * PayloadTooLargeError, RateLimitedError, UnavailableForLegalReasonsError, InternalError,
   * UnavailableError
   */
  readonly answer: (
    input: CallSettings & { params: QuarantineAnswerParams; body: QuarantineAnswer },
  ) => Promise<AnsweredQuarantine>
}
