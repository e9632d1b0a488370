import type { OAuthErrorName } from './oauth/errors.ts'
import type { PlatformErrorName } from './platform/errors.ts'
import type { RegistryErrorCode } from './registry/errors.ts'

/** Remedies for each error, shown in the documentation of error codes. */

const authorizeAgain = 'Send the user to authorize again.'
const again = 'Try again. If the error persists, send the X-Request-Id to the operator.'
const later = 'If the error persists, send the X-Request-Id to the operator.'
const slower = 'The RateLimit headers of other responses show how many requests remain.'
const allowed = 'Compare the method and the path with the API reference at /docs.'
const enable =
  "Enable the app at /console. If the platform disabled it, ask the platform's operator."
const hidden = 'Use another skill. Publishers find the reason at GET /api/v1/agents/me/notices.'

export const registryRemedies: Readonly<Record<RegistryErrorCode, string>> = {
  VALIDATION_ERROR: 'Each entry of details names a field and its problem.',
  UNAUTHORIZED: 'Use an active key. POST /api/v1/agents/register returns your first one.',
  FORBIDDEN:
    'Use an API key of the owner with sufficient access. The message states which of the two is missing.',
  NOT_FOUND: 'Check the id or the address. The resource may have been deleted.',
  METHOD_NOT_ALLOWED: allowed,
  CONFLICT: 'Resolve the conflict that the message states, for example with another name.',
  GONE: 'Follow the remedy of the message: use another version, or read the list from its start.',
  PAYLOAD_TOO_LARGE:
    'Send less data. The limits are 256 KiB for a readme, 1 MiB for a request and 4 MiB for a file.',
  RANGE_NOT_SATISFIABLE: 'Request a range within the file, or omit Range.',
  RATE_LIMITED: slower,
  UNAVAILABLE_FOR_LEGAL_REASONS: hidden,
  INTERNAL: again,
  UNAVAILABLE: later,
}

export const oauthRemedies: Readonly<Record<OAuthErrorName, string>> = {
  invalid_request:
    'Correct the parameter that error_description names. Send each parameter once, in the query or in the form body.',
  invalid_client:
    "Compare the client id and secret with the app's page at /console. After a rotation, the previous secret works for only 24 hours.",
  client_mismatch: 'Omit client_id, or send the client id of the Basic header.',
  credentials_missing:
    'Send Authorization: Basic, or client_id and client_secret in the form body. Never send a secret in the query.',
  unsupported_grant_type: 'Use a grant type from grant_types_supported in the metadata document.',
  redirect_uri_mismatch:
    'Send the same redirect_uri to authorize and to the token endpoint. It must match a registered one exactly, including scheme, port and trailing slash.',
  scopes_lost: `Add the scope to the app again, or discard the tokens. ${authorizeAgain}`,
  app_disabled: enable,
  code_expired: `Exchange codes within 5 minutes. ${authorizeAgain}`,
  code_invalid: `Use each code once, with the app and the verifier of its authorization request. ${authorizeAgain}`,
  owner_missing: `Store only the latest refresh token, and share it between all workers. ${authorizeAgain}`,
  app_not_public: 'Publish the app, or use it with users of its account.',
  role_missing: 'Let an admin or the owner authorize the app.',
  approval_withdrawn:
    "Ask the account's admin to approve the app, then let the user authorize again.",
  grant_ended: `The user, an admin or the app ended the authorization. ${authorizeAgain}`,
  invalid_grant: `Use the token with the app that it was issued to. ${authorizeAgain}`,
  unauthorized_client:
    'Use a grant type that the app supports, or enable the device flow in its settings.',
  invalid_scope: 'Request only scopes that the app has, separated by spaces.',
  invalid_target: `Send the address that error_description names, or omit resource. ${authorizeAgain}`,
  invalid_redirect_uri:
    'Register https addresses, or http addresses with the host 127.0.0.1, [::1] or localhost.',
  invalid_client_metadata:
    'Correct the field that error_description names. Only public clients can register.',
  unsupported_response_type: 'Send response_type=code.',
  access_denied:
    'Do not retry. Explain to the user what the access is for, and let the user start again.',
  authorization_pending: 'Poll again after the interval.',
  slow_down: 'Increase the polling interval by 5 seconds.',
  expired_token: 'Start again with a new device code.',
  nothing_here: 'Check the address. The metadata document lists the endpoints.',
  method_not_allowed: allowed,
  too_many_requests: slower,
  server_error: again,
  temporarily_unavailable: later,
}

export const platformRemedies: Readonly<Record<PlatformErrorName, string>> = {
  token_in_query: 'Send the token in the header Authorization: Bearer.',
  expired_access_token:
    'Refresh the token, or request a new one. Access tokens expire after an hour.',
  token_empty: 'Send Authorization: Bearer with a token from the token endpoint.',
  wrong_resource:
    'Request a token with the resource that the message names. A token works only for the resource that it was requested for.',
  token_revoked: `Use the latest token. If you have no other token, ${authorizeAgain.toLowerCase()}`,
  owner_removed: "The user no longer exists. Delete the user's tokens and data.",
  disabled_app: enable,
  insufficient_scope: `The message lists the sufficient scopes. Add one of them to the app. ${authorizeAgain}`,
  foreign_site:
    'Send MCP requests to the address in the documentation, and not from a page of another site.',
  validation_failed: 'Correct each field that errors lists, and send the request again.',
  user_not_found: 'Check the id or the email. You cannot access users of other accounts.',
  user_exists: 'Use the existing user, or another email.',
  meeting_not_found: 'Check the number and whether the scopes of the token cover the meeting.',
  recording_not_found: 'Wait for the event recording.completed of the meeting.',
  app_not_found: 'Check the id and whether the token can manage the app.',
  not_allowed_now: 'Resolve the conflict that the message states.',
  path_not_found: 'Check the path, which starts with /v2.',
  wrong_method: allowed,
  too_large: 'Send less data. The limit of a request is 1 MiB.',
  rate_limited: slower,
  internal: again,
  unavailable: later,
}
