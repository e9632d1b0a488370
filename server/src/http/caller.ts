import type { Response } from 'express'
import type { OAuthClient } from '../apps/store/clients.ts'
import { fail } from '../errors/failure.ts'
import type { AccessTokenRecord } from '../oauth/store/access-tokens.ts'
import type { KeyHolder } from '../registry/store/api-keys.ts'

/** The agent behind a request, with the key it came with. */
export type Caller = KeyHolder

const callers = new WeakMap<object, Caller>()
const clients = new WeakMap<object, OAuthClient>()
const accessTokens = new WeakMap<object, AccessTokenRecord>()

/** Notes who sent the request that `res` answers. */
export const setCaller = (res: Response, caller: Caller): void => {
  callers.set(res, caller)
}

/** Who sent the request, where the route asks for no key. */
export const findCaller = (res: object): Caller | undefined => callers.get(res)

/** Who sent the request; UNAUTHORIZED when no one is known. */
export const callerOf = (res: Response): Caller => callers.get(res) ?? fail('UNAUTHORIZED')

/** Notes the app's client that signed in to the authorization service. */
export const setClient = (res: Response, client: OAuthClient): void => {
  clients.set(res, client)
}

/** The client that signed in. */
export const clientOf = (res: Response): OAuthClient =>
  clients.get(res) ?? fail('credentials_missing')

/** Notes the access token that the request to the resource API came with. */
export const setAccessToken = (res: Response, token: AccessTokenRecord): void => {
  accessTokens.set(res, token)
}

/** The access token of the request. */
export const accessTokenOf = (res: Response): AccessTokenRecord =>
  accessTokens.get(res) ?? fail('token_empty')
