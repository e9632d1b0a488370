import {
  type OAuthErrorName,
  oauthErrors,
  type PlatformErrorName,
  platformErrors,
  type RegistryErrorCode,
  registryErrors,
} from '@skillpass/contract'
import { type Issue, summarize } from './issues.ts'

/**
 * What a request fails with before its service has a say, or what any service may fail with: a status
 * of HTTP. The dialect of each service has an error of its own for it.
 */
export type NeutralCode = 400 | 403 | 404 | 405 | 413 | 429 | 500 | 503

/** A neutral code, or a row of one of the contract's error tables, whose names do not overlap. */
export type ErrorCode = NeutralCode | RegistryErrorCode | OAuthErrorName | PlatformErrorName

interface FailureOptions {
  /** In place of what details say first, and of the table's sentence. */
  message?: string | undefined
  details?: Issue[] | undefined
  /** Seconds after which the same request may be sent again. */
  retryAfter?: number | undefined
  /** Whether the request brought an access token, be it one that nobody knows. */
  tokenGiven?: boolean | undefined
  /** Whether it was refused for want of time alone: counted, and not logged one by one. */
  isShed?: boolean | undefined
  /** Whether nothing was done for the request, so that it may be sent again whatever it is. */
  neverBegan?: boolean | undefined
  cause?: unknown
}

/** What ends a request in a way that its caller may see. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Issue[] | undefined
  readonly retryAfter: number | undefined
  readonly tokenGiven: boolean
  readonly isShed: boolean
  readonly neverBegan: boolean

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    const { status, message } = rowOf(code)
    const words = options.message ?? summarize(options.details ?? []) ?? message
    super(timed(words, options), { cause: options.cause })
    this.code = code
    this.status = status
    this.details = options.details
    this.retryAfter = options.retryAfter
    this.tokenGiven = options.tokenGiven ?? false
    this.isShed = options.isShed ?? false
    this.neverBegan = options.neverBegan ?? false
  }
}

/** The sentence with the seconds to wait, where they are known. */
const timed = (message: string, { retryAfter }: FailureOptions) =>
  retryAfter === undefined
    ? message
    : message.replace(
        /(?:retryAfter|Retry-After) seconds/,
        retryAfter === 1 ? '1 second' : `${retryAfter} seconds`,
      )

/** Ends the request; `message` replaces the table's sentence. */
export function fail(code: ErrorCode, message?: string): never {
  throw new Failure(code, { message })
}

/** Ends a request to the resource API with what is wrong about one field of it. */
export function failField(where: Issue['in'], path: string, message: string): never {
  throw new Failure('validation_failed', { details: [{ in: where, path, message }] })
}

/** Ends a request to the registry with what is wrong about one field of it. */
export function refuseField(where: Issue['in'], path: string, message: string): never {
  throw new Failure('VALIDATION_ERROR', { details: [{ in: where, path, message }] })
}

/** Whether an error is of the registry's table. */
export const isRegistryCode = (code: ErrorCode): code is RegistryErrorCode => code in registryErrors
/** Whether an error is of the authorization service's table. */
export const isOAuthError = (code: ErrorCode): code is OAuthErrorName => code in oauthErrors
/** Whether an error is of the resource API's table. */
export const isPlatformError = (code: ErrorCode): code is PlatformErrorName =>
  code in platformErrors

function rowOf(code: ErrorCode): { status: number; message: string } {
  if (typeof code === 'number') return { status: code, message: '' }
  if (isOAuthError(code)) {
    const { status, description } = oauthErrors[code]
    return { status, message: description }
  }
  return isPlatformError(code) ? platformErrors[code] : registryErrors[code]
}
