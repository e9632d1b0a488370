import type { RouteMetadata } from '@skillpass/contract'
import { type ErrorCode, Failure, type NeutralCode } from '../errors/failure.ts'

/** How a service formats errors. `C` are the codes of its error table. */
interface ErrorFormat<C extends ErrorCode> {
  isOwn(code: ErrorCode): code is C
  /** The service's code for each neutral code. */
  readonly codes: Readonly<Record<NeutralCode, C>>
  body(code: C, failure: Failure): object
  /** The `WWW-Authenticate` header of an error on a route that requires a credential. */
  challenge?(code: C, failure: Failure, metadata: RouteMetadata): string | undefined
}

/** An error response in a service's format. */
interface ErrorAnswer {
  readonly status: number
  readonly body: object
  readonly challenge: string | undefined
}

/** Formats a failure. `metadata` belongs to the route that the request reached, if any. */
export type Dialect = (failure: Failure, metadata?: RouteMetadata) => ErrorAnswer

/** Creates a service's dialect. Codes of other tables are mapped by status. */
export function createDialect<C extends ErrorCode>(format: ErrorFormat<C>): Dialect {
  const byStatus: Readonly<Partial<Record<number, C>>> = format.codes
  return (failure, metadata) => {
    const { code: given, status, details, retryAfter } = failure
    const code = format.isOwn(given) ? given : (byStatus[status] ?? format.codes[500])
    const own = code === given ? failure : new Failure(code, { details, retryAfter })
    return {
      status: own.status,
      body: format.body(code, own),
      challenge: metadata && format.challenge?.(code, own, metadata),
    }
  }
}
