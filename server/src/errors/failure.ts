import {
  type OAuthErrorName,
  oauthErrors,
  type PlatformErrorName,
  platformErrors,
  type RegistryErrorCode,
  registryErrors,
} from '@skillpass/contract'

/** A row of one of the contract's error tables; the names of the three tables do not overlap. */
export type ErrorCode = RegistryErrorCode | OAuthErrorName | PlatformErrorName

/** What is wrong with one field of a request. */
export interface Issue {
  in: 'body' | 'query' | 'path' | 'headers'
  path: string
  message: string
}

interface FailureOptions {
  /** In place of the table's sentence. */
  message?: string
  details?: Issue[]
  /** Seconds after which the same request may be sent again. */
  retryAfter?: number
  cause?: unknown
}

/** A refusal that a caller may see: a code of one of the contract's error tables. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Issue[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    const { status, message } = rowOf(code)
    super(options.message ?? message, { cause: options.cause })
    this.code = code
    this.status = status
    this.details = options.details
    this.retryAfter = options.retryAfter
  }
}

/** Ends the request with an error of the contract; `message` replaces the table's sentence. */
export function fail(code: ErrorCode, message?: string): never {
  throw new Failure(code, message === undefined ? {} : { message })
}

/** Ends a request to the resource API with what is wrong about one field of it. */
export function failField(where: Issue['in'], path: string, message: string): never {
  throw new Failure('validation_failed', { details: [{ in: where, path, message }] })
}

/** Whether an error is of the registry's table. */
export const isRegistryCode = (code: ErrorCode): code is RegistryErrorCode => code in registryErrors
/** Whether it is of the authorization service's. */
export const isOAuthError = (code: ErrorCode): code is OAuthErrorName => code in oauthErrors
/** Whether it is of the resource API's. */
export const isPlatformError = (code: ErrorCode): code is PlatformErrorName =>
  code in platformErrors

function rowOf(code: ErrorCode): { status: number; message: string } {
  if (isOAuthError(code)) {
    const { status, description } = oauthErrors[code]
    return { status, message: description }
  }
  return isPlatformError(code) ? platformErrors[code] : registryErrors[code]
}
