import { type ErrorFields, SkillpassError } from '../errors.ts'

/** One field to change in a refused request, and what is wrong with it. */
export interface PlatformIssue {
  readonly field: string
  readonly message: string
}

/** What an error of the resource API knows beside its message. */
export interface PlatformErrorFields extends ErrorFields {
  readonly number: number
  readonly errors?: readonly PlatformIssue[] | undefined
}

/**
 * The resource API refused a request. `number` is the platform's, `code` the same as text; the
 * message is as it came, with the scopes that would do where one is missing.
 *
 * @example
 * try {
 *   await client.platform.users.get({ params: { userId: 'me' } })
 * } catch (error) {
 *   if (error instanceof MissingScopeError) console.error(error.message)
 *   else throw error
 * }
 */
export class PlatformRequestError extends SkillpassError {
  override readonly name: string = 'PlatformRequestError'
  /** The platform's number, for example 1001. */
  readonly number: number
  /** What to change, field by field, where `number` is 300. */
  readonly errors: readonly PlatformIssue[]
  /** What to do, in one sentence. */
  readonly remedy: string

  constructor(fields: PlatformErrorFields) {
    super({ ...fields, code: `${fields.number}` })
    this.number = fields.number
    this.errors = fields.errors ?? []
    this.remedy = remedies[fields.number] ?? 'See the message.'
  }
}

/** 401: the access token is missing, unknown, expired or revoked, or its app is disabled. */
export class AccessTokenError extends PlatformRequestError {
  override readonly name = 'AccessTokenError'
}

/** 403, 4711: the token lacks a scope; the message lists those that would do. */
export class MissingScopeError extends PlatformRequestError {
  override readonly name = 'MissingScopeError'
}

/** The error of the class that belongs to its number and status. */
export function platformError(fields: PlatformErrorFields): PlatformRequestError {
  if (fields.status === 401) return new AccessTokenError(fields)
  return new (fields.number === 4711 ? MissingScopeError : PlatformRequestError)(fields)
}

/** What to do about a number of the platform (OAuth spec §7; open-points C). */
const remedies: Readonly<Record<number, string>> = {
  124: 'Get a new access token; a token source given as accessToken does so by itself.',
  300: 'Correct the fields that `errors` lists.',
  404: 'Check the id, apiUrl and the version of the client.',
  405: 'Check apiUrl and the version of the client.',
  409: 'Read how things stand now; the message says what is in the way.',
  413: 'Send less: a request body has at most 1 MiB.',
  429: 'Wait `retryAfter` seconds.',
  500: 'Try again later; tell the operator the request id if it stays.',
  503: 'Try again after `retryAfter` seconds.',
  1001: "Use `me` or the id of a user of the token's account.",
  1005: 'Use another email, or the user who has this one.',
  3001: "Use the number of a meeting that the token's scopes reach.",
  4700: 'Give createClient an accessToken that the service has issued, whole and unchanged.',
  4711: 'Register the app for one of the scopes that the message lists, and authorize again.',
  4717: 'Enable the app in the developer console; if the platform has disabled it, ask its support.',
  4735: 'The user was removed from the account: another user has to authorize.',
  4741: 'Use the latest token, or let the user authorize again.',
}
