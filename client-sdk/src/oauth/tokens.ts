import { UnexpectedResponseError } from '../errors.ts'
import type { TokenResponse } from '../generated/types.ts'

/** What a token store keeps: an access token, the refresh token for the next one, and its times. */
export interface Tokens {
  accessToken: string
  /** Good once; account and client tokens have none. */
  refreshToken?: string | undefined
  /** Scopes, space-separated. */
  scope: string
  /** Base address of the resource API. */
  apiUrl: string
  /** When they were asked for, in milliseconds since 1970. */
  issuedAt: number
  /** When the access token ends, in milliseconds since 1970. */
  expiresAt: number
}

/**
 * Where the tokens of one authorization are kept, so that the latest refresh token is never lost.
 * Several processes may share one.
 *
 * @example
 * const store: TokenStore = {
 *   load: async () => (await db.get(userId)) ?? undefined,
 *   save: (tokens) => db.put(userId, tokens),
 *   clear: () => db.delete(userId),
 * }
 */
export interface TokenStore {
  /** The tokens saved last; undefined where there are none. */
  load(): Promise<Tokens | undefined>
  /** Keeps them in the place of all earlier ones; done once they would survive a crash. */
  save(tokens: Tokens): Promise<void>
  /** Forgets them, after they were revoked. Without it, they stay and are found dead. */
  clear?(): Promise<void>
}

/**
 * A store that ends with the process. Without another store, users authorize again after a restart.
 *
 * @example
 * const store = memoryTokenStore()
 */
export function memoryTokenStore(): TokenStore {
  let kept: Tokens | undefined
  return {
    load: async () => kept,
    save: async (tokens) => {
      kept = tokens
    },
    clear: async () => {
      kept = undefined
    },
  }
}

/** Tokens of an answer. `issuedAt` is when it was asked for, so that they never seem to live longer. */
export function tokensOf(answer: TokenResponse, issuedAt: number): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer
  // What is kept in a store, for long, must not be the answer of some other service.
  if (typeof accessToken !== 'string' || typeof seconds !== 'number') {
    const message = 'The token answer has no access_token or no expires_in.'
    throw new UnexpectedResponseError({ message })
  }
  const { scope, api_url: apiUrl } = answer
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

/** Whether an access token is to be used: not in its last minute, or quarter if that is shorter. */
export function isFresh({ issuedAt, expiresAt }: Tokens, now: number): boolean {
  return now < expiresAt - Math.min(marginMs, (expiresAt - issuedAt) / 4)
}
