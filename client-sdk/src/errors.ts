import type { ValidationIssue } from './generated/types.ts'

/** One thing to change in a refused request: which part, which field, and what is wrong. */
export type Issue = ValidationIssue

/** What an error knows besides its message. */
export interface ErrorFields {
  readonly message: string
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly request?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly details?: readonly Issue[] | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/**
 * Whatever goes wrong in a call, except an abort, which throws the signal's own reason.
 *
 * @example
 * try {
 *   await client.registry.skills.publish({ body })
 * } catch (error) {
 *   if (error instanceof ConflictError) console.log('The slug is taken.')
 *   else if (error instanceof SkillpassError) console.log(error.code, error.requestId)
 *   else throw error
 * }
 */
export class SkillpassError extends Error {
  override readonly name: string = 'SkillpassError'
  /**
   * The service's code, for example `NOT_FOUND` or, of the authorization service, `invalid_grant`; or
   * the client's own, for example `TIMEOUT`.
   */
  readonly code: string
  /** HTTP status of the answer; undefined where there was none. */
  readonly status: number | undefined
  /** What was asked, `GET /api/v1/skills/:id`; undefined where the client itself says no. */
  readonly request: string | undefined
  /** Id under which the operator finds the request in the logs. */
  readonly requestId: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** The body of the answer, parsed where it was JSON. */
  readonly body: unknown

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code ?? 'UNKNOWN'
    this.status = fields.status
    this.request = fields.request
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.body = fields.body
  }
}

/** The service gave no answer of its own: it was not reached, or something else answered. */
export class TransportError extends SkillpassError {
  override readonly name: string = 'TransportError'
}

/** No answer, or no more of it, came within `timeoutMs`. The service may have acted on the request. */
export class TimeoutError extends TransportError {
  override readonly name = 'TimeoutError'
  override readonly code = 'TIMEOUT'
}

/** The service could not be reached, or the connection broke; `cause` is what `fetch` said. */
export class ConnectionError extends TransportError {
  override readonly name = 'ConnectionError'
  override readonly code = 'CONNECTION'
}

/** The answer is longer than it may be. */
export class AnswerTooLong extends TransportError {
  override readonly name = 'AnswerTooLong'
  override readonly code = 'ANSWER_TOO_LONG'
}

/** The answer is not what the contract declares, for example a proxy's HTML page. */
export class UnexpectedResponseError extends TransportError {
  override readonly name = 'UnexpectedResponseError'
  override readonly code = 'UNEXPECTED_RESPONSE'
}

/** What a refusal by verdict knows. */
export interface VerdictErrorFields {
  readonly message: string
  readonly address: string
  readonly verdict: 'clean' | 'notice' | 'warning'
  readonly rules: readonly string[]
}

/**
 * The only skills that serve a task have a graver verdict than the caller allows. Read the lines that
 * the rules name before you allow them; `/docs/lint/{rule}` explains each.
 */
export class VerdictError extends SkillpassError {
  override readonly name = 'VerdictError'
  override readonly code = 'VERDICT'
  /** `owner/repo/skill` of the best of them. */
  readonly address: string
  readonly verdict: 'clean' | 'notice' | 'warning'
  /** Ids of the rules that name something in it. */
  readonly rules: readonly string[]

  constructor({ message, address, verdict, rules }: VerdictErrorFields) {
    super({ message, code: 'VERDICT' })
    this.address = address
    this.verdict = verdict
    this.rules = rules
  }
}

/** The markdown is not what its digest says: it was changed or cut on the way. */
export class IntegrityError extends TransportError {
  override readonly name = 'IntegrityError'
  override readonly code = 'INTEGRITY'
}

/** The markdown has no signature where one is required, one of a key that is not trusted, or a wrong one. */
export class SignatureError extends TransportError {
  override readonly name = 'SignatureError'
  override readonly code = 'SIGNATURE'
}
