import { type Issue, SkillpassError } from './errors.ts'
import { registryErrorClasses, UnavailableError } from './generated/registry-errors.ts'
import { oauthError } from './oauth/errors.ts'
import { type PlatformIssue, platformError } from './platform/errors.ts'
import { fieldsOf, numberIn, textIn } from './read.ts'

/** What an answer that says no tells beside its body's text. */
export interface Refused {
  readonly status: number
  /** Method and path, without what stood in its parameters. */
  readonly request: string
  readonly body: unknown
  readonly requestId: string | undefined
  /** Seconds, of the `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** Whether the route declares an answer of its own for the status, and this is JSON. */
  readonly declared: boolean
}

/** How a service says no: the typed error for a body of its shape, undefined for any other. */
export type ReadRefusal = (refused: Refused) => SkillpassError | undefined

// What is read is open: a code or field that this version does not know must not hide the rest.

const isRegistryCode = (code: string): code is keyof typeof registryErrorClasses =>
  Object.hasOwn(registryErrorClasses, code)

/** The registry's errors: a class per code. */
export const registryRefusal: ReadRefusal = (refused) => {
  const error = fieldsOf(fieldsOf(refused.body).error)
  const code = textIn(error, 'code')
  const message = textIn(error, 'message')
  if (code === undefined || message === undefined) return ownAnswer(refused)
  const retryAfter = numberIn(error, 'retryAfter') ?? refused.retryAfter
  const fields = { ...refused, code, message, retryAfter, details: issuesIn(error.details) }
  return isRegistryCode(code) ? new registryErrorClasses[code](fields) : new SkillpassError(fields)
}

/** A route may declare an answer of its own for 503, as the health check does. */
function ownAnswer(refused: Refused): SkillpassError | undefined {
  if (!refused.declared || refused.status !== 503) return undefined
  const message = 'The service answered 503; `body` says more.'
  return new UnavailableError({ ...refused, message })
}

/** Details of which each says where and what; others are no details. */
function issuesIn(details: unknown): Issue[] | undefined {
  if (!Array.isArray(details)) return undefined
  return details.every(isIssue) ? details : undefined
}

const isIssue = (detail: unknown): detail is Issue => {
  const fields = fieldsOf(detail)
  return ['in', 'path', 'message'].every((name) => textIn(fields, name) !== undefined)
}

/** The errors of the authorization service (RFC 6749 §5.2, with the platform's number). */
export const oauthRefusal: ReadRefusal = (refused) => {
  const body = fieldsOf(refused.body)
  const code = textIn(body, 'error')
  if (code === undefined || !/^[a-z_]+$/.test(code)) return undefined
  const message = textIn(body, 'error_description') ?? code
  const [reason, number] = [textIn(body, 'reason'), numberIn(body, 'code')]
  return oauthError({ ...refused, code, message, reason, number })
}

/** The errors of the resource API. */
export const platformRefusal: ReadRefusal = (refused) => {
  const body = fieldsOf(refused.body)
  const number = numberIn(body, 'code')
  const message = textIn(body, 'message')
  if (number === undefined || message === undefined) return undefined
  const errors =
    Array.isArray(body.errors) && body.errors.every(isPlatformIssue) ? body.errors : undefined
  return platformError({ ...refused, number, message, errors })
}

const isPlatformIssue = (issue: unknown): issue is PlatformIssue => {
  const fields = fieldsOf(issue)
  return textIn(fields, 'field') !== undefined && textIn(fields, 'message') !== undefined
}
