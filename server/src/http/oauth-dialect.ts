import { type OAuthErrorBody, type OAuthErrorEntry, oauthErrors } from '@skillpass/contract'
import { isOAuthError } from '../errors/failure.ts'
import { createDialect } from './dialect.ts'

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
