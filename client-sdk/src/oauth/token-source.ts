import type { AccessTokenSource } from '../credentials.ts'
import { type SkillpassError, TransportError } from '../errors.ts'
import type { Clock } from '../transport.ts'
import { OAuthRequestError } from './errors.ts'
import { isFresh, type Tokens } from './tokens.ts'

/** Grant of a token. */
export interface Granted {
  /** Granted scopes, including the optional ones that the user allowed. */
  readonly scopes: readonly string[]
  /** Base URL of the resource API. */
  readonly apiUrl: string
}

/** Source of access tokens that renews them. Pass it to `createClient` as `accessToken`. */
export interface TokenSource extends AccessTokenSource {
  /** Returns the grant of the current token. Requests a token if necessary. */
  granted(): Promise<Granted>
  /** Revokes the tokens and removes them from the store. You may call it again. */
  revoke(): Promise<void>
}

/** How a grant type renews and revokes its tokens. */
export interface TokenSupply {
  /** Returns new tokens, whose access token differs from the one that the API refused. */
  renew(current: Tokens | undefined, refused: string | undefined): Promise<Tokens>
  revoke(current: Tokens | undefined): Promise<void>
}

/** Creates a source whose concurrent callers share one renewal. */
export function tokenSource(clock: Clock, supply: TokenSupply): TokenSource {
  let current: Tokens | undefined
  let renewal: Promise<Tokens> | undefined

  const renew = async (refused: string | undefined) => {
    try {
      current = await supply.renew(current, refused)
      return current
    } catch (error) {
      // Tokens are renewed before they expire, so the current one may still work during a short
      // outage.
      const usable = current && current.accessToken !== refused && clock.now() < current.expiresAt
      if (current && usable && isOutage(error)) return current
      throw error
    } finally {
      renewal = undefined
    }
  }

  const tokens = async (refused?: string) => {
    const usable = current && current.accessToken !== refused && isFresh(current, clock.now())
    if (current && usable && !renewal) return current
    renewal ??= renew(refused)
    return renewal
  }

  return {
    getToken: async (refused) => (await tokens(refused)).accessToken,
    async granted() {
      const { scope, apiUrl } = await tokens()
      return { scopes: scope.split(' ').filter(Boolean), apiUrl }
    },
    async revoke() {
      await renewal?.catch(() => {})
      await supply.revoke(current)
      current = undefined
    },
  }
}

/** Returns whether the service was unavailable, which does not mean that the tokens are invalid. */
export const isOutage = (error: unknown): error is SkillpassError =>
  error instanceof TransportError ||
  (error instanceof OAuthRequestError && (error.status === 429 || (error.status ?? 0) >= 500))
