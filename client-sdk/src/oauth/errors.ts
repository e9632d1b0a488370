import { type ErrorFields, SkillpassError } from '../errors.ts'
import { oauthRemedies } from '../generated/tables.ts'

/** What an error of the authorization service knows beside its message. */
export interface OAuthErrorFields extends ErrorFields {
  readonly code: string
  readonly number?: number | undefined
  readonly reason?: string | undefined
}

/**
 * The authorization service refused a request. `code` is the word of the RFC, `number` and `reason`
 * are the platform's (OAuth spec §7).
 *
 * @example
 * try {
 *   await tokens.getToken()
 * } catch (error) {
 *   if (error instanceof AuthorizeAgainError) return redirectToStart()
 *   if (error instanceof OAuthRequestError) console.error(error.code, error.number, error.remedy)
 *   throw error
 * }
 */
export class OAuthRequestError extends SkillpassError {
  override readonly name: string = 'OAuthRequestError'
  /** The platform's number, for example 4733; absent while a device code is polled. */
  readonly number: number | undefined
  /** The platform's message for the number, for example `Code is expired`. */
  readonly reason: string | undefined
  /** What to do, in one sentence. */
  readonly remedy: string

  constructor(fields: OAuthErrorFields) {
    super(fields)
    this.number = fields.number
    this.reason = fields.reason
    this.remedy = remedyOf(fields.number) ?? remedyOf(fields.code) ?? 'See the message.'
  }
}

const remedyOf = (key: number | string = '') =>
  Object.hasOwn(oauthRemedies, key) ? oauthRemedies[key] : undefined

/** The code or token is good no more (4711, 4733–4735, 4738, 4741): ask the user to authorize again. */
export class AuthorizeAgainError extends OAuthRequestError {
  override readonly name = 'AuthorizeAgainError'
}

/** The user, or the service in the user's name, did not allow the app. Do not retry. */
export class AccessDeniedError extends OAuthRequestError {
  override readonly name = 'AccessDeniedError'
}

/** The user has not decided yet; only a caller that polls by itself meets it. */
export class AuthorizationPendingError extends OAuthRequestError {
  override readonly name = 'AuthorizationPendingError'
}

/** Polled too soon: 5 seconds more from now on; only a caller that polls by itself meets it. */
export class SlowDownError extends OAuthRequestError {
  override readonly name = 'SlowDownError'
}

/** The device code is too old: start again with a new one. */
export class DeviceCodeExpiredError extends OAuthRequestError {
  override readonly name = 'DeviceCodeExpiredError'
}

const classOfCode: Readonly<Record<string, new (fields: OAuthErrorFields) => OAuthRequestError>> = {
  access_denied: AccessDeniedError,
  authorization_pending: AuthorizationPendingError,
  slow_down: SlowDownError,
  expired_token: DeviceCodeExpiredError,
}

/** A redirect address that differs is the app's to mend; authorizing again does not help. */
const redirectUriMismatch = 4709

/** The error of the class that belongs to its code and number. */
export function oauthError(fields: OAuthErrorFields): OAuthRequestError {
  if (fields.code === 'invalid_grant' && fields.number !== redirectUriMismatch) {
    return new AuthorizeAgainError(fields)
  }
  const Class = Object.hasOwn(classOfCode, fields.code) ? classOfCode[fields.code] : undefined
  return new (Class ?? OAuthRequestError)(fields)
}

/** The address that the browser came to is no answer to the request that was made. */
export class CallbackError extends SkillpassError {
  override readonly name: string = 'CallbackError'
  override readonly code: string = 'CALLBACK'
}

/** `state` is not that of this browser's request: another has made it, perhaps an attacker. */
export class StateMismatchError extends CallbackError {
  override readonly name = 'StateMismatchError'
  override readonly code = 'STATE_MISMATCH'
}

/** `iss` names another authorization service (RFC 9207 §2.4). */
export class IssuerMismatchError extends CallbackError {
  override readonly name = 'IssuerMismatchError'
  override readonly code = 'ISSUER_MISMATCH'
}

/**
 * The token store failed; `cause` is what it said. Tokens that could not be saved are kept, and the
 * next call saves them without asking for others.
 */
export class TokenStoreError extends SkillpassError {
  override readonly name = 'TokenStoreError'
  override readonly code = 'TOKEN_STORE'
}
