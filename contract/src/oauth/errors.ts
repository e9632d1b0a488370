import { z } from 'zod'
import { string } from '../schemas.ts'

/**
 * An error of the authorization service. `error` is defined by RFC 6749 §5.2 or RFC 8628 §3.5,
 * `code` and `reason` by spec/oauth.md#errors.
 */
export interface OAuthErrorEntry {
  readonly status: number
  readonly error: string
  /** A sentence for developers that includes the remedy. */
  readonly description: string
  readonly reason?: string
  readonly code?: number
}

const invalidGrant = { status: 400, error: 'invalid_grant' } as const
const invalidClient = { status: 401, error: 'invalid_client' } as const

/**
 * All errors of the authorization service (spec/decisions.md#oauth-errors). Some clients parse only
 * 400 and 401, so only unknown paths, wrong methods, rate limits and faults use another status.
 */
export const oauthErrors = {
  invalid_request: {
    status: 400,
    error: 'invalid_request',
    code: 300,
    reason: 'Invalid request',
    description: 'The request is malformed. Check its parameters.',
  },
  invalid_client: {
    ...invalidClient,
    code: 4702,
    reason: 'Invalid client',
    description: 'The client id or the client secret is wrong.',
  },
  client_mismatch: {
    ...invalidClient,
    code: 4704,
    reason: 'Invalid client',
    description: 'The client_id parameter differs from the client id in the credentials.',
  },
  credentials_missing: {
    ...invalidClient,
    code: 4706,
    reason: 'Client ID or secret missing',
    description:
      'Send the header Authorization: Basic with the base64 encoding of client_id:client_secret.',
  },
  unsupported_grant_type: {
    status: 400,
    error: 'unsupported_grant_type',
    code: 4705,
    reason: 'Grant type not supported',
    description:
      'grant_type must be account_credentials, authorization_code, refresh_token, client_credentials or urn:ietf:params:oauth:grant-type:device_code.',
  },
  redirect_uri_mismatch: {
    ...invalidGrant,
    code: 4709,
    reason: 'Redirect URI mismatch',
    description:
      'redirect_uri must be identical to the one in the authorization request and must still be registered.',
  },
  scopes_lost: {
    ...invalidGrant,
    code: 4711,
    reason: 'Refresh token invalid',
    description: 'The app no longer has every scope of this grant. The user must authorize again.',
  },
  app_disabled: {
    status: 400,
    error: 'unauthorized_client',
    code: 4717,
    reason: 'App has been disabled',
    description: 'The app is disabled. Its developer or the platform operator can enable it.',
  },
  code_expired: {
    ...invalidGrant,
    code: 4733,
    reason: 'Code is expired',
    description: 'The authorization code has expired. Send the user to authorize again.',
  },
  code_invalid: {
    ...invalidGrant,
    code: 4734,
    reason: 'Invalid authorization code',
    description:
      'The authorization code is invalid or was already used. Send the user to authorize again.',
  },
  owner_missing: {
    ...invalidGrant,
    code: 4735,
    reason: 'Owner of token does not exist',
    description:
      'The refresh token is outdated, or its user was removed. Use the latest refresh token, or send the user to authorize again.',
  },
  app_not_public: {
    ...invalidGrant,
    reason: 'App is not public',
    description: 'Only users of the account that owns this app can use it.',
  },
  role_missing: {
    ...invalidGrant,
    reason: 'Role missing',
    description:
      'The app now works for the whole account, or the user is no longer an admin. An admin or the owner has to authorize the app.',
  },
  approval_withdrawn: {
    ...invalidGrant,
    code: 4738,
    reason: 'Approval has been withdrawn',
    description:
      "An admin of the user's account has not approved this app with its current name and scopes.",
  },
  grant_ended: {
    ...invalidGrant,
    code: 4741,
    reason: 'Token has been revoked',
    description: 'This authorization has ended. The user must authorize again.',
  },
  /** Has no code and no details, because they would reveal the tokens of another app. */
  invalid_grant: {
    ...invalidGrant,
    reason: 'Invalid grant',
    description: 'This token or code is not valid for this app.',
  },
  unauthorized_client: {
    status: 400,
    error: 'unauthorized_client',
    reason: 'Unauthorized client',
    description: 'This app is not allowed to use this grant type.',
  },
  invalid_scope: {
    status: 400,
    error: 'invalid_scope',
    reason: 'Invalid scope',
    description: 'A requested scope is unknown, or the app or the grant does not have it.',
  },
  invalid_target: {
    status: 400,
    error: 'invalid_target',
    reason: 'Invalid resource',
    description: 'resource is unknown, or not the one that the user authorized.',
  },
  invalid_redirect_uri: {
    status: 400,
    error: 'invalid_redirect_uri',
    description: 'One of the redirect_uris must be https, or http on loopback.',
  },
  invalid_client_metadata: {
    status: 400,
    error: 'invalid_client_metadata',
    description: 'The client metadata is invalid. Check its fields.',
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
    description: 'The user denied the request. Do not retry.',
  },
  authorization_pending: {
    status: 400,
    error: 'authorization_pending',
    description: 'The user has not decided yet. Poll again after the interval.',
  },
  slow_down: {
    status: 400,
    error: 'slow_down',
    description: 'You polled too soon. Add 5 seconds to the polling interval.',
  },
  expired_token: {
    status: 400,
    error: 'expired_token',
    description: 'The device code has expired. Request a new one.',
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
    description:
      'This address does not support this method. The Allow header lists the supported methods.',
  },
  too_many_requests: {
    status: 429,
    error: 'temporarily_unavailable',
    code: 429,
    reason: 'Too many requests',
    description: 'Too many requests or failed attempts. Wait Retry-After seconds.',
  },
  server_error: {
    status: 500,
    error: 'server_error',
    code: 500,
    reason: 'Internal error',
    description: 'Something failed on our side. Report the X-Request-Id if it happens again.',
  },
  temporarily_unavailable: {
    status: 503,
    error: 'temporarily_unavailable',
    code: 503,
    reason: 'Service unavailable',
    description: 'The service cannot respond right now. Try again after Retry-After seconds.',
  },
} as const satisfies Record<string, OAuthErrorEntry>

/** Key of `oauthErrors`. */
export type OAuthErrorName = keyof typeof oauthErrors

/**
 * Body of an error of the authorization service (spec/decisions.md#oauth-errors; RFC 6749 §5.2).
 */
export const OAuthError = z
  .object({
    error: string('Error code of the RFC.', 'invalid_grant'),
    error_description: string(
      'A sentence for developers that includes the remedy.',
      oauthErrors.code_expired.description,
    ),
    reason: string(
      "The platform's message. Absent in the polling errors of a device code.",
      oauthErrors.code_expired.reason,
    ).optional(),
    code: z.int().optional().meta({
      description: "The platform's error number. Absent in the polling errors of a device code.",
      example: oauthErrors.code_expired.code,
    }),
  })
  .meta({ id: 'OAuthError', description: 'An error of the authorization service.' })

export type OAuthErrorBody = z.infer<typeof OAuthError>

/** Error responses of an endpoint of the authorization service. */
export const oauthErrorResponses = {
  400: OAuthError,
  401: OAuthError,
  429: OAuthError,
  500: OAuthError,
  503: OAuthError,
} as const
