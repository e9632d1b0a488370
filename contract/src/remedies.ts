import type { OAuthErrorName } from './oauth/errors.ts'
import type { PlatformErrorName } from './platform/errors.ts'
import type { RegistryErrorCode } from './registry/errors.ts'

/** How to mend each error: what a developer reads who looks a code up. */

const authorizeAgain = 'Send the user to authorize again.'
const again = 'Try again. If it stays, tell the operator the X-Request-Id.'
const later =
  'Try again after the seconds of Retry-After. If it stays, tell the operator the X-Request-Id.'
const slower =
  'Wait the seconds of Retry-After; the RateLimit headers tell what is left before it happens.'
const allowed = 'Use one of the methods that the Allow header lists.'
const enable =
  "Enable the app at /console; if the platform disabled it, ask the platform's operator."
const hidden = 'Use another skill. Its publisher reads why at GET /api/v1/agents/me/notices.'

export const registryRemedies: Readonly<Record<RegistryErrorCode, string>> = {
  VALIDATION_ERROR: 'Change each field that details names, as its message says, and send it again.',
  UNAUTHORIZED:
    'Send Authorization: Bearer with a key that starts with skp_ and is neither revoked nor expired. POST /api/v1/agents/register gives a first one.',
  FORBIDDEN:
    'Use a key of the agent that owns it, with enough access: the message says which of the two is missing.',
  NOT_FOUND: 'Check the id or the address. What was deleted is not found either.',
  METHOD_NOT_ALLOWED: allowed,
  CONFLICT:
    'Choose another name, or change what is there: the message says what stands in the way.',
  PAYLOAD_TOO_LARGE: 'Send less: a readme holds 256 KiB, a request 1 MiB, a file 4 MiB.',
  RANGE_NOT_SATISFIABLE:
    'Ask for bytes before the end of the file, or for all of it, without Range.',
  RATE_LIMITED: slower,
  UNAVAILABLE_FOR_LEGAL_REASONS: hidden,
  INTERNAL: again,
  UNAVAILABLE: later,
}

export const oauthRemedies: Readonly<Record<OAuthErrorName, string>> = {
  invalid_request:
    'Correct the parameter that error_description names. Each stands once, in the query or in the form body.',
  invalid_client:
    "Compare id and secret with the app's page at /console; the secret may have been rotated more than a day ago.",
  client_mismatch: 'Leave client_id out, or send the one of the Basic header.',
  credentials_missing:
    'Send Authorization: Basic, or client_id and client_secret in the form body; never a secret in the query.',
  unsupported_grant_type: 'Use one of the five grant types.',
  redirect_uri_mismatch:
    'Send the same redirect_uri to authorize and to the token endpoint, equal to a registered one to the letter: protocol, port and trailing slash count.',
  scopes_lost: `Register the scope for the app again, or forget the tokens. ${authorizeAgain}`,
  app_disabled: enable,
  code_expired: `Exchange a code within 5 minutes. ${authorizeAgain}`,
  code_invalid: `A code is good once, with the verifier and the app that it was made for. ${authorizeAgain}`,
  owner_missing: `Keep only the latest refresh token, in one place for all workers. ${authorizeAgain}`,
  app_not_public: 'Publish the app, or use it with users of its own account.',
  approval_withdrawn:
    "Ask the account's admin to approve the app, then let the user authorize again.",
  grant_ended: `The user, an admin or the app ended the authorization. ${authorizeAgain}`,
  invalid_grant: `Use the token with the app that it was issued to. ${authorizeAgain}`,
  unauthorized_client:
    'Use the grant type of the kind of app, or switch the device flow on in its settings.',
  invalid_scope: 'Ask for scopes that the app is registered for, separated by spaces.',
  unsupported_response_type: 'Send response_type=code.',
  access_denied: 'Do not retry. Say what is missing without it, and let the user start again.',
  authorization_pending: 'Poll again after the interval.',
  slow_down: 'Wait 5 seconds longer between polls, from now on.',
  expired_token: 'Start again with a new device code.',
  nothing_here: 'Check the address; the metadata document lists those there are.',
  method_not_allowed: allowed,
  too_many_requests: slower,
  server_error: again,
  temporarily_unavailable: later,
}

export const platformRemedies: Readonly<Record<PlatformErrorName, string>> = {
  token_in_query: 'Send the token in the header Authorization: Bearer.',
  expired_access_token: 'Refresh it, or ask for a new one: an access token lives an hour.',
  token_empty: 'Send Authorization: Bearer with a token that the token endpoint gave.',
  token_revoked: `Use the latest token. Where there is none: ${authorizeAgain.toLowerCase()}`,
  owner_removed: 'The user has left the account: delete the tokens and the data.',
  disabled_app: enable,
  insufficient_scope:
    'The message lists the scopes that would do: register one for the app and let the user authorize again.',
  validation_failed: 'Change each field that errors names, as its message says, and send it again.',
  user_not_found: 'Check the id or the email. Users of other accounts are not found.',
  user_exists: 'Use the user that is there, or another email.',
  meeting_not_found:
    'Check the number. Meetings that the scopes of the token do not reach are not found.',
  app_not_found: 'Check the id. Apps that the token does not manage are not found.',
  not_allowed_now: 'The message says what stands in the way.',
  path_not_found: 'Check the address and the version in it, /v2.',
  wrong_method: allowed,
  too_large: 'Send less: a request holds 1 MiB.',
  rate_limited: slower,
  internal: again,
  unavailable: later,
}
