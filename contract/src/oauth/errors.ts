import { z } from 'zod'
import { string } from '../schemas.ts'

/**
 * One refusal of the authorization service. `error` is the word of the RFC, `code` and `reason` are
 * the number and message of the spec (OAuth spec §7).
 */
export interface OAuthErrorEntry {
  readonly status: number
  readonly error: string
  /** A sentence for developers, with the remedy. */
  readonly description: string
  readonly reason?: string
  readonly code?: number
}

/**
 * Every error of the authorization service (OAuth spec §7; open-points B). Clients that follow the RFCs
 * parse only 400 and 401, so an OAuth error has no other status, faults and 404, 405, 429 aside.
 */
export const oauthErrors = {
  invalid_request: {
    status: 400,
    error: 'invalid_request',
    code: 300,
    reason: 'Invalid request',
    description: 'The request is malformed; see which parameter.',
  },
  invalid_client: {
    status: 401,
    error: 'invalid_client',
    code: 4702,
    reason: 'Invalid client',
    description: 'The client id or the client secret is wrong.',
  },
  client_mismatch: {
    status: 401,
    error: 'invalid_client',
    code: 4704,
    reason: 'Invalid client',
    description: 'The parameter client_id names another client than the credentials.',
  },
  credentials_missing: {
    status: 401,
    error: 'invalid_client',
    code: 4706,
    reason: 'Client ID or secret missing',
    description: 'Send the header Authorization: Basic with base64 of client_id:client_secret.',
  },
  unsupported_grant_type: {
    status: 400,
    error: 'unsupported_grant_type',
    code: 4705,
    reason: 'Grant type not supported',
    description:
      'grant_type is account_credentials, authorization_code, refresh_token, client_credentials or urn:ietf:params:oauth:grant-type:device_code.',
  },
  redirect_uri_mismatch: {
    status: 400,
    error: 'invalid_grant',
    code: 4709,
    reason: 'Redirect URI mismatch',
    description:
      'redirect_uri must equal the one of the authorization request, to the letter, and still be registered.',
  },
  scopes_lost: {
    status: 400,
    error: 'invalid_grant',
    code: 4711,
    reason: 'Refresh token invalid',
    description: 'The app no longer has every scope of this grant; the user must authorize again.',
  },
  app_disabled: {
    status: 400,
    error: 'unauthorized_client',
    code: 4717,
    reason: 'App has been disabled',
    description: 'The app is disabled; its developer or the platform can enable it again.',
  },
  code_expired: {
    status: 400,
    error: 'invalid_grant',
    code: 4733,
    reason: 'Code is expired',
    description: 'The authorization code is too old; send the user to authorize again.',
  },
  code_invalid: {
    status: 400,
    error: 'invalid_grant',
    code: 4734,
    reason: 'Invalid authorization code',
    description:
      'The authorization code is not good, or was used; send the user to authorize again.',
  },
  owner_missing: {
    status: 400,
    error: 'invalid_grant',
    code: 4735,
    reason: 'Owner of token does not exist',
    description:
      'The refresh token is outdated, or its user is gone. Use the latest one, or let the user authorize again.',
  },
  app_not_public: {
    status: 400,
    error: 'invalid_grant',
    reason: 'App is not public',
    description: 'Only users of the account that made this app can use it now.',
  },
  approval_withdrawn: {
    status: 400,
    error: 'invalid_grant',
    code: 4738,
    reason: 'Approval has been withdrawn',
    description: "The account's admin does not allow this app, or not with this name and scopes.",
  },
  grant_ended: {
    status: 400,
    error: 'invalid_grant',
    code: 4741,
    reason: 'Token has been revoked',
    description: 'This authorization was ended; the user must authorize again.',
  },
  /** Says nothing of why, where that would tell one app about another's tokens. */
  invalid_grant: {
    status: 400,
    error: 'invalid_grant',
    reason: 'Invalid grant',
    description: 'This token or code is not good for this app.',
  },
  unauthorized_client: {
    status: 400,
    error: 'unauthorized_client',
    reason: 'Unauthorized client',
    description: 'This app may not use this grant type.',
  },
  invalid_scope: {
    status: 400,
    error: 'invalid_scope',
    reason: 'Invalid scope',
    description: 'A scope is not known, or not one that the app or the grant has.',
  },
  unsupported_response_type: {
    status: 400,
    error: 'unsupported_response_type',
    reason: 'Response type not supported',
    description: 'response_type must be code.',
  },
  access_denied: {
    status: 400,
    error: 'access_denied',
    description: 'The user did not allow the app; do not retry.',
  },
  authorization_pending: {
    status: 400,
    error: 'authorization_pending',
    description: 'The user has not decided yet; poll again after the interval.',
  },
  slow_down: {
    status: 400,
    error: 'slow_down',
    description: 'Polled too soon; from now on wait 5 seconds longer between polls.',
  },
  expired_token: {
    status: 400,
    error: 'expired_token',
    description: 'The device code is too old; ask for a new one.',
  },
  nothing_here: {
    status: 404,
    error: 'invalid_request',
    code: 404,
    reason: 'Not found',
    description: 'There is nothing at this address.',
  },
  method_not_allowed: {
    status: 405,
    error: 'invalid_request',
    code: 405,
    reason: 'Method not allowed',
    description: 'This address does not take this method; Allow lists those it takes.',
  },
  too_many_requests: {
    status: 429,
    error: 'temporarily_unavailable',
    code: 429,
    reason: 'Too many requests',
    description: 'Too many requests or failed attempts; wait Retry-After seconds.',
  },
  server_error: {
    status: 500,
    error: 'server_error',
    code: 500,
    reason: 'Internal error',
    description: 'Something failed on our side; the request id names it.',
  },
  temporarily_unavailable: {
    status: 503,
    error: 'temporarily_unavailable',
    code: 503,
    reason: 'Service unavailable',
    description: 'The service cannot answer right now; try again after Retry-After seconds.',
  },
} as const satisfies Record<string, OAuthErrorEntry>

/** Name of an error of the authorization service: a row of `oauthErrors`. */
export type OAuthErrorName = keyof typeof oauthErrors

/** Body of an error of the authorization service (RFC 6749 §5.2, with the spec's number). */
export const OAuthError = z
  .object({
    error: string('The word of the RFC.', 'invalid_grant'),
    error_description: string(
      'A sentence for developers, with the remedy.',
      oauthErrors.code_expired.description,
    ),
    reason: string(
      "The platform's message. Absent while a device code is polled.",
      oauthErrors.code_expired.reason,
    ).optional(),
    code: z.int().optional().meta({
      description: "The platform's number. Absent while a device code is polled.",
      example: oauthErrors.code_expired.code,
    }),
  })
  .meta({ id: 'OAuthError', description: 'A refusal of the authorization service.' })

/** Body of an error of the authorization service. */
export type OAuthErrorBody = z.infer<typeof OAuthError>

/**
 * Error responses of an endpoint of the authorization service. Those of endpoints that apps sign in
 * to are 400, 401 and, after too many failed attempts, 429; the faults are the same everywhere.
 */
export const oauthErrorResponses = {
  400: OAuthError,
  401: OAuthError,
  429: OAuthError,
  500: OAuthError,
  503: OAuthError,
} as const
