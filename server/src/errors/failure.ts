import {
  type OAuthErrorName,
  oauthErrors,
  type PlatformErrorName,
  platformErrors,
  type RegistryErrorCode,
  registryErrors,
} from '@skillpass/contract'
import { type Issue, summarize } from './issues.ts'

/** HTTP statuses. Each service's dialect (`http/dialects.ts`) maps them to errors of its table. */
export const neutralCodes = [400, 403, 404, 405, 413, 429, 500, 503] as const

export type NeutralCode = (typeof neutralCodes)[number]

/** A neutral code, or a key of one of the contract's error tables. The tables share no keys. */
export type ErrorCode = NeutralCode | RegistryErrorCode | OAuthErrorName | PlatformErrorName

interface FailureOptions {
  /** Message. The default is the first detail as a sentence, or the message of the error table. */
  message?: string | undefined
  details?: Issue[] | undefined
  /** Seconds after which the same request may be sent again. */
  retryAfter?: number | undefined
  /** Whether the request carried an access token, valid or not. */
  hasToken?: boolean | undefined
  /** Whether load or an outage is the reason. Such failures are counted but not logged. */
  isShed?: boolean | undefined
  /** Whether processing never began, so that even a POST is safe to retry. */
  neverBegan?: boolean | undefined
  cause?: unknown
}

/** An error whose code and message the caller may see. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Issue[] | undefined
  readonly retryAfter: number | undefined
  readonly hasToken: boolean
  readonly isShed: boolean
  readonly neverBegan: boolean
  /** Parameters that the resource adds to `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1). */
  challenge: Readonly<Record<string, string>> = {}

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    const { status, message } = rowOf(code)
    super(textOf(options, message), { cause: options.cause })
    this.code = code
    this.status = status
    this.details = options.details
    this.retryAfter = options.retryAfter
    this.hasToken = options.hasToken ?? false
    this.isShed = options.isShed ?? false
    this.neverBegan = options.neverBegan ?? false
  }
}

/** What an error response contains of a failure. */
export type ShownFailure = Pick<
  Failure,
  'status' | 'message' | 'details' | 'retryAfter' | 'hasToken' | 'challenge'
>

/** Returns a failure under another code. Cheaper than a new error, which captures the stack. */
export function underCode(failure: Failure, code: ErrorCode): ShownFailure {
  const { status, message } = rowOf(code)
  const { details, retryAfter } = failure
  const given = typeof failure.code === 'number' && failure.message ? failure.message : undefined
  const text = textOf({ message: given, details, retryAfter }, message)
  return { status, message: text, details, retryAfter, hasToken: false, challenge: {} }
}

/** Inserts the number of seconds into a message of the contract that refers to `Retry-After`. */
function textOf({ message, details = [], retryAfter }: FailureOptions, byDefault: string) {
  const text = message ?? summarize(details) ?? byDefault
  if (retryAfter === undefined) return text
  const seconds = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`
  return text.replace(/(?:retryAfter|Retry-After) seconds/, seconds)
}

/** Throws a `Failure`. `message` replaces the message of the error table. */
export function fail(code: ErrorCode, message?: string): never {
  throw new Failure(code, { message })
}

/** Throws the validation error of the service for one field. */
export function refuseField(where: Issue['in'], path: string, message: string): never {
  throw new Failure(400, { details: [{ in: where, path, message }] })
}

/** Returns the validation error of the service for fields of the body. */
export function invalidBody(issues: readonly { path: readonly PropertyKey[]; message: string }[]) {
  const details = issues.map(({ path, message }) => {
    return { in: 'body' as const, path: path.join('.'), message }
  })
  return new Failure(400, { details })
}

export const isRegistryCode = (code: ErrorCode): code is RegistryErrorCode => code in registryErrors
export const isOAuthError = (code: ErrorCode): code is OAuthErrorName => code in oauthErrors
export const isPlatformError = (code: ErrorCode): code is PlatformErrorName =>
  code in platformErrors

/** Whether a text is a key of an error table. */
export const isErrorName = (text: string): text is Exclude<ErrorCode, NeutralCode> =>
  [oauthErrors, platformErrors, registryErrors].some((table) => Object.hasOwn(table, text))

function rowOf(code: ErrorCode): { status: number; message: string } {
  if (typeof code === 'number') return { status: code, message: '' }
  if (isOAuthError(code)) {
    const { status, description } = oauthErrors[code]
    return { status, message: description }
  }
  return isPlatformError(code) ? platformErrors[code] : registryErrors[code]
}

/** Ends a text that somebody wrote like a sentence, so that another one can follow. */
export const asSentence = (text: string): string => text.replace(/[^.!?]$/, '$&.')
