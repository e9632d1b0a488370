import { type RegistryErrorCode, registryErrors } from '@skillpass/contract'

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

/** A refusal that a caller may see: a code of the contract's error table. */
export class Failure extends Error {
  readonly code: RegistryErrorCode
  readonly status: number
  readonly details: Issue[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: RegistryErrorCode, options: FailureOptions = {}) {
    const { status, message } = registryErrors[code]
    super(options.message ?? message, { cause: options.cause })
    this.code = code
    this.status = status
    this.details = options.details
    this.retryAfter = options.retryAfter
  }
}

/** Ends the request with an error of the contract; `message` replaces the table's sentence. */
export function fail(code: RegistryErrorCode, message?: string): never {
  throw new Failure(code, message === undefined ? {} : { message })
}
