import {
  type OAuthErrorBody,
  type OAuthErrorEntry,
  oauthErrors,
  type PlatformErrorBody,
  type PlatformErrorEntry,
  platformErrors,
  type RegistryErrorBody,
  type RouteMetadata,
} from '@skillpass/contract'
import {
  type ErrorCode,
  type Failure,
  isOAuthError,
  isPlatformError,
  isRegistryCode,
  type NeutralCode,
  type ShownFailure,
  underCode,
} from '../errors/failure.ts'

/** How a service formats errors. `C` are the codes of its error table. */
interface DialectParts<C extends ErrorCode> {
  isOwn(code: ErrorCode): code is C
  readonly codes: Readonly<Record<NeutralCode, C>>
  body(code: C, failure: ShownFailure): object
  /** The `WWW-Authenticate` header of an error on a route that requires a credential. */
  challenge?(code: C, failure: ShownFailure, metadata: RouteMetadata): string | undefined
}

interface FormattedError extends Pick<ShownFailure, 'status' | 'message'> {
  readonly code: ErrorCode
  readonly body: object
  readonly challenge: string | undefined
}

/** Formats a failure. `metadata` belongs to the route that the request reached, if any. */
export type Dialect = (failure: Failure, metadata?: RouteMetadata) => FormattedError

/** Creates a service's dialect. Codes of other tables are mapped by status. */
function createDialect<C extends ErrorCode>(parts: DialectParts<C>): Dialect {
  const byStatus: Readonly<Partial<Record<number, C>>> = parts.codes
  return (failure, metadata) => {
    const { code: thrown, status } = failure
    const code = parts.isOwn(thrown) ? thrown : (byStatus[status] ?? parts.codes[500])
    const shown = code === thrown ? failure : underCode(failure, code)
    return {
      code,
      status: shown.status,
      message: shown.message,
      body: parts.body(code, shown),
      challenge: metadata && parts.challenge?.(code, shown, metadata),
    }
  }
}

/** Error format of the registry (spec/registry.md#errors). */
export const registryDialect = createDialect({
  isOwn: isRegistryCode,
  codes: {
    400: 'VALIDATION_ERROR',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    413: 'PAYLOAD_TOO_LARGE',
    429: 'RATE_LIMITED',
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
  },
  body(code, { message, details = [], retryAfter = 1 }): RegistryErrorBody {
    if (code === 'VALIDATION_ERROR') return { error: { code, message, details } }
    if (code === 'RATE_LIMITED') return { error: { code, message, retryAfter } }
    return { error: { code, message } }
  },
  challenge: (_code, { status }, { auth }) =>
    auth === 'apiKey' && status === 401 ? 'Bearer realm="skillpass"' : undefined,
})

/** Error responses of the authorization service (spec/oauth.md#errors, RFC 6749 §5.2). */
export const oauthDialect = createDialect({
  isOwn: isOAuthError,
  codes: {
    400: 'invalid_request',
    403: 'access_denied',
    404: 'nothing_here',
    405: 'method_not_allowed',
    413: 'invalid_request',
    429: 'too_many_requests',
    500: 'server_error',
    503: 'temporarily_unavailable',
  },
  body(name, { message }): OAuthErrorBody {
    const { error, reason, code }: OAuthErrorEntry = oauthErrors[name]
    return {
      error,
      error_description: asciiOf(message),
      ...(reason === undefined ? {} : { reason }),
      ...(code === undefined ? {} : { code }),
    }
  },
})

/** Replaces characters that RFC 6749 §5.2 does not allow in error_description. */
const asciiOf = (text: string) => text.replace(/["\\]|[^\x20-\x7e]/g, "'")

const unknownToken = 'This is not an access token of this service. Request a new one.'

/** Error responses of the resource API (spec/oauth.md#errors, RFC 6750 §3). */
export const platformDialect = createDialect({
  isOwn: isPlatformError,
  codes: {
    400: 'validation_failed',
    403: 'insufficient_scope',
    404: 'path_not_found',
    405: 'wrong_method',
    413: 'too_large',
    429: 'rate_limited',
    500: 'internal',
    503: 'unavailable',
  },
  body(name, { message, details = [], hasToken }): PlatformErrorBody {
    const { code, error }: PlatformErrorEntry = platformErrors[name]
    if (hasToken) return { code, message, detail: unknownToken }
    if (error !== undefined) return { code, error, message }
    if (name !== 'validation_failed') return { code, message }
    const errors = details.map((issue) => ({ field: issue.path, message: issue.message }))
    return { code, message, errors }
  },
  challenge(name, { status, hasToken, challenge }, { auth, scopes }) {
    if (auth !== 'accessToken' || (status !== 401 && status !== 403)) return undefined
    if (name === 'foreign_site') return undefined
    const parameters = Object.entries({ ...errorOf(), ...challenge })
    const texts = parameters.map(([parameter, value]) => `, ${parameter}="${value}"`)
    return `Bearer realm="skillpass"${texts.join('')}`

    function errorOf() {
      if (name === 'token_empty' && !hasToken) return {}
      if (name !== 'insufficient_scope') return { error: 'invalid_token' }
      return { error: name, scope: scopes?.granular ?? '' }
    }
  },
})
