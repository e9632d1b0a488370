import type { RouteMetadata } from '@skillpass/contract'
import {
  type ErrorCode,
  type Failure,
  type NeutralCode,
  type ShownFailure,
  underCode,
} from '../errors/failure.ts'

/** How a service formats errors. `C` are the codes of its error table. */
interface ErrorFormat<C extends ErrorCode> {
  isOwn(code: ErrorCode): code is C
  readonly codes: Readonly<Record<NeutralCode, C>>
  body(code: C, failure: ShownFailure): object
  /** The `WWW-Authenticate` header of an error on a route that requires a credential. */
  challenge?(code: C, failure: ShownFailure, metadata: RouteMetadata): string | undefined
}

interface ErrorResponse {
  readonly status: number
  readonly body: object
  readonly challenge: string | undefined
}

/** Formats a failure. `metadata` belongs to the route that the request reached, if any. */
export type Dialect = (failure: Failure, metadata?: RouteMetadata) => ErrorResponse

/** Creates a service's dialect. Codes of other tables are mapped by status. */
export function createDialect<C extends ErrorCode>(format: ErrorFormat<C>): Dialect {
  const byStatus: Readonly<Partial<Record<number, C>>> = format.codes
  return (failure, metadata) => {
    const { code: thrown, status } = failure
    const code = format.isOwn(thrown) ? thrown : (byStatus[status] ?? format.codes[500])
    const shown = code === thrown ? failure : underCode(failure, code)
    return {
      status: shown.status,
      body: format.body(code, shown),
      challenge: metadata && format.challenge?.(code, shown, metadata),
    }
  }
}
