import {
  type PlatformErrorBody,
  type PlatformErrorEntry,
  platformErrors,
} from '@skillpass/contract'
import { isPlatformError } from '../errors/failure.ts'
import { createDialect } from './dialect.ts'

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
