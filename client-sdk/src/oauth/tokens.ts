import { UnexpectedResponseError } from '../errors.ts'
import type { TokenResponse } from '../generated/types.ts'

/** Tokens of one grant. */
export interface Tokens {
  accessToken: string
  /** Valid once. Not set for account and client tokens. */
  refreshToken?: string | undefined
  /** Scopes, separated by spaces. */
  scope: string
  /** Base URL of the resource API. */
  apiUrl: string
  /** Time of the token request, in milliseconds since 1970. */
  issuedAt: number
  /** Expiry of the access token, in milliseconds since 1970. */
  expiresAt: number
}

/**
 * Persistent storage for the tokens of one user, so that the latest refresh token is never lost. Several
 * processes may share a store.
 *
 * @example
 * const store: TokenStore = {
 *   load: async () => (await db.get(userId)) ?? undefined,
 *   save: (tokens) => db.put(userId, tokens),
 *   clear: () => db.delete(userId),
 * }
 */
export interface TokenStore {
  /** Returns the tokens that were saved last; undefined if the store is empty. */
  load(): Promise<Tokens | undefined>
  /** Replaces the stored tokens. Must resolve only once they would survive a crash. */
  save(tokens: Tokens): Promise<void>
  /** Removes the tokens after they were revoked. Without it, revoked tokens stay in the store. */
  clear?(): Promise<void>
}

/**
 * Creates a store in memory. Users have to authorize again after a restart.
 *
 * @example
 * const store = memoryTokenStore()
 */
export function memoryTokenStore(): TokenStore {
  let stored: Tokens | undefined
  return {
    load: async () => stored,
    save: async (tokens) => {
      stored = tokens
    },
    clear: async () => {
      stored = undefined
    },
  }
}

/**
 * Converts a token response. `issuedAt` is the time of the request, so that no token is used too
 * long.
 */
export function tokensOf(response: TokenResponse, issuedAt: number): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = response
  // Check the shape before the tokens are stored: another service may have responded.
  if (typeof accessToken !== 'string' || typeof seconds !== 'number') {
    const message = 'The token response has no access_token or no expires_in.'
    throw new UnexpectedResponseError({ message })
  }
  const { scope, api_url: apiUrl } = response
  return {
    accessToken,
    refreshToken,
    scope,
    apiUrl,
    issuedAt,
    expiresAt: issuedAt + seconds * 1000,
  }
}

const marginMs = 60_000

/**
 * Returns whether a token is not yet in its last minute, or in the last quarter of a short
 * lifetime.
 */
export function isFresh({ issuedAt, expiresAt }: Tokens, now: number): boolean {
  return now < expiresAt - Math.min(marginMs, (expiresAt - issuedAt) / 4)
}
