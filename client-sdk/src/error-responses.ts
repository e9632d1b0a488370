import { type Issue, SkillpassError } from './errors.ts'
import { registryErrorClasses, UnavailableError } from './generated/registry-errors.ts'
import { oauthError } from './oauth/errors.ts'
import { type PlatformIssue, platformError } from './platform/errors.ts'
import { asRecord, numberField, stringField } from './untrusted.ts'

/** An error response. */
export interface ErrorResponse {
  readonly status: number
  /** Method and route, for example `GET /api/v1/skills/:id`. */
  readonly request: string
  readonly body: unknown
  readonly requestId: string | undefined
  /** Seconds of the `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** Whether the route declares a body for this status, and the response is JSON. */
  readonly declared: boolean
}

/**
 * Converts an error response to a typed error; undefined if the service cannot have sent this body.
 */
export type ErrorReader = (errorResponse: ErrorResponse) => SkillpassError | undefined

const isRegistryCode = (code: string): code is keyof typeof registryErrorClasses =>
  Object.hasOwn(registryErrorClasses, code)

/** Reads an error of the registry. Unknown codes become a plain SkillpassError. */
export const readRegistryError: ErrorReader = (errorResponse) => {
  const error = asRecord(asRecord(errorResponse.body).error)
  const code = stringField(error, 'code')
  const message = stringField(error, 'message')
  if (code === undefined || message === undefined) return declaredError(errorResponse)
  const retryAfter = numberField(error, 'retryAfter') ?? errorResponse.retryAfter
  const fields = { ...errorResponse, code, message, retryAfter, details: issuesIn(error.details) }
  return isRegistryCode(code) ? new registryErrorClasses[code](fields) : new SkillpassError(fields)
}

/** Handles a route that declares its own body for 503, as the health check does. */
function declaredError(errorResponse: ErrorResponse): SkillpassError | undefined {
  if (!errorResponse.declared || errorResponse.status !== 503) return undefined
  const message = 'The service is unavailable (503). See `body` for details.'
  return new UnavailableError({ ...errorResponse, message })
}

/** Returns the details if all of them are valid issues. */
function issuesIn(details: unknown): Issue[] | undefined {
  if (!Array.isArray(details)) return undefined
  return details.every(isIssue) ? details : undefined
}

const isIssue = (detail: unknown): detail is Issue => {
  const fields = asRecord(detail)
  return ['in', 'path', 'message'].every((name) => stringField(fields, name) !== undefined)
}

/** Reads an error of the authorization service (RFC 6749 §5.2). */
export const readOAuthError: ErrorReader = (errorResponse) => {
  const body = asRecord(errorResponse.body)
  const code = stringField(body, 'error')
  if (code === undefined || !/^[a-z_]+$/.test(code)) return undefined
  const message = stringField(body, 'error_description') ?? code
  const [reason, number] = [stringField(body, 'reason'), numberField(body, 'code')]
  return oauthError({ ...errorResponse, code, message, reason, number })
}

/** Reads an error of the resource API. */
export const readPlatformError: ErrorReader = (errorResponse) => {
  const body = asRecord(errorResponse.body)
  const number = numberField(body, 'code')
  const message = stringField(body, 'message')
  if (number === undefined || message === undefined) return undefined
  const errors =
    Array.isArray(body.errors) && body.errors.every(isPlatformIssue) ? body.errors : undefined
  return platformError({ ...errorResponse, number, message, errors })
}

const isPlatformIssue = (issue: unknown): issue is PlatformIssue => {
  const fields = asRecord(issue)
  return stringField(fields, 'field') !== undefined && stringField(fields, 'message') !== undefined
}
