const authorizeAgain = 'Let the user authorize again.'

/** What to do about a number of the platform (OAuth spec §7). */
const byNumber: Readonly<Record<number, string>> = {
  300: 'Correct the parameter that the message names.',
  404: 'Check authUrl and the version of the client.',
  405: 'Check authUrl and the version of the client.',
  4702: "Compare clientId and clientSecret with the app's page; the secret may have been changed.",
  4704: 'Send the client_id of the app that signs in, or none.',
  4705: 'Use a grant type of the contract; for most apps a token source of this client does.',
  4706: 'Give createClient or the token source a clientId and a clientSecret.',
  4709: 'Use one redirectUri everywhere, equal to the registered one to the letter.',
  4711: `The app lost a scope that was granted: register it again, or forget the tokens. ${authorizeAgain}`,
  4717: 'Enable the app in the developer console; if the platform has disabled it, ask its support.',
  4733: `Exchange a code within five minutes. ${authorizeAgain}`,
  4734: `A code is good once, for the app and with the verifier it was made for. ${authorizeAgain}`,
  4735: `Keep the latest refresh token only, in one store for all workers. ${authorizeAgain}`,
  4738: "Ask the account's admin to approve the app, then let the user authorize again.",
  4741: `The user, an admin or the app has ended the authorization. ${authorizeAgain}`,
}

/** What to do about a word of the RFCs that has no number, or one that this version does not know. */
const byCode: Readonly<Record<string, string>> = {
  access_denied: 'Do not retry; say what is missing without it, and let the user start again.',
  authorization_pending: 'Poll again after the interval.',
  slow_down: 'Wait 5 seconds longer between polls, from now on.',
  expired_token: 'Start again with a new device code.',
  invalid_client: 'Compare clientId and clientSecret with those of the app.',
  invalid_grant: authorizeAgain,
  invalid_request: 'Correct the parameter that the message names.',
  invalid_scope: 'Ask only for scopes that the app is registered for.',
  unauthorized_client:
    "Enable this grant type in the app's settings, or use an app of another type.",
  unsupported_grant_type: 'Use a grant type of the contract.',
  unsupported_response_type: 'Use response_type=code.',
  server_error: 'Try again later; tell the operator the request id if it stays.',
  temporarily_unavailable: 'Try again after `retryAfter` seconds.',
  NO_TOKENS: 'Let the user authorize.',
}

/** What to do about a refusal of the authorization service, in one or two sentences. */
export function remedyFor(code: string, number: number | undefined): string {
  const numbered = number === undefined ? undefined : byNumber[number]
  const worded = Object.hasOwn(byCode, code) ? byCode[code] : undefined
  return numbered ?? worded ?? 'See the message.'
}
