import { z } from 'zod'
import { int, string } from '../schemas.ts'

/** One refusal of the resource API. */
export interface PlatformErrorEntry {
  readonly status: number
  readonly code: number
  readonly message: string
  /** Word of RFC 6750 §3.1, where the number alone could be taken for another refusal. */
  readonly error?: 'insufficient_scope'
}

/** Every error of the resource API (OAuth spec §7; open-points C). */
export const platformErrors = {
  token_in_query: {
    status: 401,
    code: 124,
    message: 'Access token must not be in the query; send the header Authorization: Bearer.',
  },
  expired_access_token: { status: 401, code: 124, message: 'Access token is expired.' },
  token_empty: { status: 401, code: 4700, message: 'Token cannot be empty' },
  token_revoked: { status: 401, code: 4741, message: 'Token has been revoked' },
  owner_removed: { status: 401, code: 4735, message: 'Owner of token does not exist' },
  disabled_app: { status: 401, code: 4717, message: 'App has been disabled' },
  insufficient_scope: {
    status: 403,
    code: 4711,
    error: 'insufficient_scope',
    message: 'Invalid access token, does not contain scopes.',
  },
  validation_failed: { status: 400, code: 300, message: 'Validation Failed.' },
  user_not_found: { status: 404, code: 1001, message: 'User does not exist.' },
  user_exists: {
    status: 409,
    code: 1005,
    message: 'The account has a user with this email already.',
  },
  meeting_not_found: { status: 404, code: 3001, message: 'Meeting does not exist.' },
  path_not_found: { status: 404, code: 404, message: 'There is nothing at this address.' },
  app_not_found: { status: 404, code: 404, message: 'App does not exist.' },
  not_allowed_now: {
    status: 409,
    code: 409,
    message: 'This cannot be done as things stand.',
  },
  wrong_method: {
    status: 405,
    code: 405,
    message: 'This address does not take this method; Allow lists those it takes.',
  },
  too_large: { status: 413, code: 413, message: 'The request body is larger than 1 MiB.' },
  rate_limited: { status: 429, code: 429, message: 'Too many requests; wait Retry-After seconds.' },
  internal: {
    status: 500,
    code: 500,
    message: 'Something failed on our side; the request id names it.',
  },
  unavailable: {
    status: 503,
    code: 503,
    message: 'The service cannot answer right now; try again after Retry-After seconds.',
  },
} as const satisfies Record<string, PlatformErrorEntry>

/** Name of an error of the resource API: a row of `platformErrors`. */
export type PlatformErrorName = keyof typeof platformErrors

/** Body of an error of the resource API. */
export const PlatformError = z
  .object({
    code: int('Number of the error.', 4700),
    message: string('A sentence for developers.', 'Token cannot be empty'),
    detail: string(
      'With 4700: why the token that was sent is refused.',
      'This is not an access token of this service. Request a new one.',
    ).optional(),
    error: z.literal('insufficient_scope').optional().meta({
      description:
        'With 4711: the token lacks a scope. The authorization service has the same number for a refresh token that is refused.',
      example: 'insufficient_scope',
    }),
    errors: z
      .array(
        z.object({
          field: string('Field, dotted.', 'userId'),
          message: string('What is wrong with it.', 'required'),
        }),
      )
      .optional()
      .meta({ description: 'What to change, where code is 300.' }),
  })
  .meta({ id: 'PlatformError', description: 'A refusal of the resource API.' })

/** Body of an error of the resource API. */
export type PlatformErrorBody = z.infer<typeof PlatformError>

/** Error responses of the resource API: those that any call with a token may get, and those named. */
export const platformErrorResponses = <const S extends 400 | 404 | 409 | 413>(...statuses: S[]) => {
  const all = [...statuses, 401, 403, 429, 500, 503] as const
  return Object.fromEntries(all.map((status) => [status, PlatformError])) as {
    [K in S | 401 | 403 | 429 | 500 | 503]: typeof PlatformError
  }
}
