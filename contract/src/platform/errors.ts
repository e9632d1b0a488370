import { z } from 'zod'
import { int, string } from '../schemas.ts'

/** An error of the resource API. */
export interface PlatformErrorEntry {
  readonly status: number
  readonly code: number
  readonly message: string
  /** Error code of RFC 6750 §3.1, because the authorization service also uses 4711. */
  readonly error?: 'insufficient_scope'
}

/** All errors of the resource API (spec/decisions.md#resource-api-errors). */
export const platformErrors = {
  expired_access_token: { status: 401, code: 124, message: 'Access token is expired.' },
  token_in_query: {
    status: 401,
    code: 124,
    message: 'Access token must not be in the query. Send it in the header Authorization: Bearer.',
  },
  token_empty: { status: 401, code: 4700, message: 'Token cannot be empty' },
  wrong_resource: {
    status: 401,
    code: 124,
    message: 'Access token is for another resource. Request one for this resource.',
  },
  token_revoked: { status: 401, code: 4741, message: 'Token has been revoked' },
  owner_removed: { status: 401, code: 4735, message: 'Owner of token does not exist' },
  disabled_app: { status: 401, code: 4717, message: 'App has been disabled' },
  insufficient_scope: {
    status: 403,
    code: 4711,
    error: 'insufficient_scope',
    message: 'Invalid access token, does not contain scopes.',
  },
  foreign_site: {
    status: 403,
    code: 403,
    message: 'The Host or Origin of this request is that of another site.',
  },
  validation_failed: { status: 400, code: 300, message: 'Validation Failed.' },
  user_not_found: { status: 404, code: 1001, message: 'User does not exist.' },
  not_allowed_now: { status: 409, code: 409, message: 'The current state does not allow this.' },
  user_exists: {
    status: 409,
    code: 1005,
    message: 'The account already has a user with this email.',
  },
  meeting_not_found: { status: 404, code: 3001, message: 'Meeting does not exist.' },
  recording_not_found: {
    status: 404,
    code: 3301,
    message: 'There is no recording for this meeting.',
  },
  path_not_found: { status: 404, code: 404, message: 'There is nothing at this address.' },
  app_not_found: { status: 404, code: 404, message: 'App does not exist.' },
  wrong_method: {
    status: 405,
    code: 405,
    message:
      'This address does not support this method. The Allow header lists the supported methods.',
  },
  too_large: { status: 413, code: 413, message: 'The request body is larger than 1 MiB.' },
  rate_limited: { status: 429, code: 429, message: 'Too many requests. Wait Retry-After seconds.' },
  internal: {
    status: 500,
    code: 500,
    message: 'Something failed on our side. Report the X-Request-Id if it happens again.',
  },
  unavailable: {
    status: 503,
    code: 503,
    message: 'The service cannot respond right now. Try again after Retry-After seconds.',
  },
} as const satisfies Record<string, PlatformErrorEntry>

/** Key of `platformErrors`. */
export type PlatformErrorName = keyof typeof platformErrors

/** Body of an error of the resource API (spec/decisions.md#resource-api-errors). */
export const PlatformError = z
  .object({
    code: int('Error number.', 4700),
    message: string('A sentence for developers.', 'Token cannot be empty'),
    detail: string(
      'With 4700: why the token is rejected.',
      'This is not an access token of this service. Request a new one.',
    ).optional(),
    error: z.literal('insufficient_scope').optional().meta({
      description:
        'With 4711: the token lacks a scope. The authorization service uses the same number for a rejected refresh token.',
      example: 'insufficient_scope',
    }),
    errors: z
      .array(
        z.object({
          field: string('Path of the field, with dots.', 'userId'),
          message: string('Problem with the field.', 'required'),
        }),
      )
      .optional()
      .describe('Invalid fields. Only with code 300.'),
  })
  .meta({ id: 'PlatformError', description: 'An error of the resource API.' })

export type PlatformErrorBody = z.infer<typeof PlatformError>

/**
 * Error responses of a route: the given statuses and those that every call with a token can get.
 */
export const platformErrorResponses = <const S extends 400 | 404 | 409 | 413>(...statuses: S[]) => {
  const all = [...statuses, 401, 403, 429, 500, 503] as const
  return Object.fromEntries(all.map((status) => [status, PlatformError])) as {
    [K in S | 401 | 403 | 429 | 500 | 503]: typeof PlatformError
  }
}
