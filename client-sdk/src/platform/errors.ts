import { type ErrorFields, SkillpassError } from '../errors.ts'
import { platformRemedies } from '../generated/tables.ts'

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
    this.remedy = platformRemedies[fields.number] ?? 'See the message.'
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
