import { type ErrorFields, SkillpassError } from '../errors.ts'
import { oauthRemedies } from '../generated/tables.ts'

/** Properties of an error of the authorization service. */
export interface OAuthErrorFields extends ErrorFields {
  readonly code: string
  readonly number?: number | undefined
  readonly reason?: string | undefined
}

/**
 * The authorization service returned an error. `code` is the OAuth error code of the RFCs; `number` and
 * `reason` are specific to the platform.
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
  /**
   * Error number of the platform, for example 4733; undefined for errors of device code polling.
   */
  readonly number: number | undefined
  /** Message of the platform for the number, for example `Code is expired`. */
  readonly reason: string | undefined
  /** How to fix the problem, in one sentence. */
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

/**
 * The code or token is no longer valid (4711, 4733–4735, 4738, 4741). Let the user authorize again.
 */
export class AuthorizeAgainError extends OAuthRequestError {
  override readonly name = 'AuthorizeAgainError'
}

/** The user, or a policy of the service, denied access. Do not retry. */
export class AccessDeniedError extends OAuthRequestError {
  override readonly name = 'AccessDeniedError'
}

/** The user has not decided yet. Thrown only if you poll without `deviceFlow`. */
export class AuthorizationPendingError extends OAuthRequestError {
  override readonly name = 'AuthorizationPendingError'
}

/**
 * You polled too soon: add 5 seconds to the interval. Thrown only if you poll without `deviceFlow`.
 */
export class SlowDownError extends OAuthRequestError {
  override readonly name = 'SlowDownError'
}

/** The device code has expired. Start again to get a new one. */
export class DeviceCodeExpiredError extends OAuthRequestError {
  override readonly name = 'DeviceCodeExpiredError'
}

const classOfCode: Readonly<Record<string, new (fields: OAuthErrorFields) => OAuthRequestError>> = {
  access_denied: AccessDeniedError,
  authorization_pending: AuthorizationPendingError,
  slow_down: SlowDownError,
  expired_token: DeviceCodeExpiredError,
}

/** The app has to fix its redirect URI, so authorizing again does not help. */
const redirectUriMismatch = 4709

/** Creates an error of the class for its code and number. */
export function oauthError(fields: OAuthErrorFields): OAuthRequestError {
  if (fields.code === 'invalid_grant' && fields.number !== redirectUriMismatch) {
    return new AuthorizeAgainError(fields)
  }
  const Class = Object.hasOwn(classOfCode, fields.code) ? classOfCode[fields.code] : undefined
  return new (Class ?? OAuthRequestError)(fields)
}

/** The callback does not belong to the authorization request. */
export class CallbackError extends SkillpassError {
  override readonly name: string = 'CallbackError'
  override readonly code: string = 'CALLBACK'
}

/** `state` does not match the request of this browser. The callback may be forged. */
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
 * The token store failed; `cause` is its error. Tokens that could not be saved stay in memory, and
 * the next call saves them without requesting new ones.
 */
export class TokenStoreError extends SkillpassError {
  override readonly name = 'TokenStoreError'
  override readonly code = 'TOKEN_STORE'
}
