import type { ValidationIssue } from './generated/types.ts'

/** An invalid field of a request: its part, its path and the problem. */
export type Issue = ValidationIssue

/** Properties of an error. */
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
 * Base class of all errors of this package. An aborted call throws the signal's reason instead.
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
   * Error code of the registry (`NOT_FOUND`), of the authorization service (`invalid_grant`) or of
   * this client (`TIMEOUT`).
   */
  readonly code: string
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined
  /**
   * Method and route, for example `GET /api/v1/skills/:id`; undefined if the client sent no
   * request.
   */
  readonly request: string | undefined
  /** Id of the request in the logs of the service. */
  readonly requestId: string | undefined
  /** Seconds to wait before you send the request again. */
  readonly retryAfter: number | undefined
  /** Response body, parsed if it is JSON. */
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

/** The service could not be reached, or its response is not usable. */
export class TransportError extends SkillpassError {
  override readonly name: string = 'TransportError'
}

/**
 * No response, or no further part of it, arrived within `timeoutMs`. The request may have had an
 * effect.
 */
export class TimeoutError extends TransportError {
  override readonly name = 'TimeoutError'
  override readonly code = 'TIMEOUT'
}

/** The service could not be reached, or the connection broke. `cause` is the error of `fetch`. */
export class ConnectionError extends TransportError {
  override readonly name = 'ConnectionError'
  override readonly code = 'CONNECTION'
}

/** The response is larger than the limit. */
export class ResponseTooLongError extends TransportError {
  override readonly name = 'ResponseTooLongError'
  override readonly code = 'RESPONSE_TOO_LONG'
}

/** The response does not match the contract, for example an HTML page of a proxy. */
export class UnexpectedResponseError extends TransportError {
  override readonly name = 'UnexpectedResponseError'
  override readonly code = 'UNEXPECTED_RESPONSE'
}

/** Properties of a `VerdictError`. */
export interface VerdictErrorFields {
  readonly message: string
  readonly address: string
  readonly verdict: 'clean' | 'notice' | 'warning'
  readonly rules: readonly string[]
}

/**
 * The lint verdict of the skill is more severe than `allow` permits. Check the findings before you
 * allow it; the registry explains each rule at `/docs/lint/{rule}`.
 */
export class VerdictError extends SkillpassError {
  override readonly name = 'VerdictError'
  override readonly code = 'VERDICT'
  /** `owner/repo/skill`. If several skills were rejected, the best match. */
  readonly address: string
  readonly verdict: 'clean' | 'notice' | 'warning'
  /** Ids of the lint rules with findings in the skill. */
  readonly rules: readonly string[]

  constructor({ message, address, verdict, rules }: VerdictErrorFields) {
    super({ message, code: 'VERDICT' })
    this.address = address
    this.verdict = verdict
    this.rules = rules
  }
}

/** The markdown does not match its digest: it was changed or truncated in transit. */
export class IntegrityError extends TransportError {
  override readonly name = 'IntegrityError'
  override readonly code = 'INTEGRITY'
}

/**
 * A required signature is missing, is made with a key that you do not trust, or does not verify.
 */
export class SignatureError extends TransportError {
  override readonly name = 'SignatureError'
  override readonly code = 'SIGNATURE'
}
