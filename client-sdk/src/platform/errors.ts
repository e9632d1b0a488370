import { type ErrorFields, SkillpassError } from '../errors.ts'
import { platformRemedies } from '../generated/tables.ts'

/** An invalid field of a request. */
export interface PlatformIssue {
  readonly field: string
  readonly message: string
}

/** Properties of an error of the resource API. */
export interface PlatformErrorFields extends ErrorFields {
  readonly number: number
  readonly errors?: readonly PlatformIssue[] | undefined
}

/**
 * The resource API returned an error. `number` is the platform's error number, `code` the same as a string.
 * If a scope is missing, `message` lists the sufficient scopes.
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
  /** Error number of the platform, for example 1001. */
  readonly number: number
  /** Invalid fields if `number` is 300. */
  readonly errors: readonly PlatformIssue[]
  /** How to fix the problem, in one sentence. */
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

/** 403, 4711: the token lacks a scope. The message lists the sufficient scopes. */
export class MissingScopeError extends PlatformRequestError {
  override readonly name = 'MissingScopeError'
}

/** Creates an error of the class for its number and status. */
export function platformError(fields: PlatformErrorFields): PlatformRequestError {
  if (fields.status === 401) return new AccessTokenError(fields)
  return new (fields.number === 4711 ? MissingScopeError : PlatformRequestError)(fields)
}
