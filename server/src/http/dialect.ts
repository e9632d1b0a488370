import type { RouteMetadata } from '@skillpass/contract'
import { type ErrorCode, Failure, type NeutralCode } from '../errors/failure.ts'

/** How a service words failures; `C` are the codes of its own error table. */
interface Words<C extends ErrorCode> {
  isOwn(code: ErrorCode): code is C
  /** The own code for each neutral one. */
  readonly codes: Readonly<Record<NeutralCode, C>>
  body(code: C, failure: Failure): object
  /** `WWW-Authenticate` of a failure on a route, which may ask for a credential. */
  challenge?(code: C, failure: Failure, metadata: RouteMetadata): string | undefined
}

/** A failure in the words of a service. */
interface ErrorAnswer {
  readonly status: number
  readonly body: object
  readonly challenge: string | undefined
}

/** Words the failure of a request, which may have reached a route with this metadata. */
export type Dialect = (failure: Failure, metadata?: RouteMetadata) => ErrorAnswer

/** A service's dialect. What is not of its own table is worded by the status. */
export function createDialect<C extends ErrorCode>(words: Words<C>): Dialect {
  const byStatus: Readonly<Partial<Record<number, C>>> = words.codes
  return (failure, metadata) => {
    const { code: given, status, details, retryAfter } = failure
    const code = words.isOwn(given) ? given : (byStatus[status] ?? words.codes[500])
    const own = code === given ? failure : new Failure(code, { details, retryAfter })
    return {
      status: own.status,
      body: words.body(code, own),
      challenge: metadata && words.challenge?.(code, own, metadata),
    }
  }
}
