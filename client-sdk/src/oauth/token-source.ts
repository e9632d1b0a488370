import type { AccessTokenSource } from '../credentials.ts'
import { type SkillpassError, TransportError } from '../errors.ts'
import type { WaitingClock } from '../transport.ts'
import { OAuthRequestError } from './errors.ts'
import { isFresh, type Tokens } from './tokens.ts'

/** What was granted together with a token. */
export interface Granted {
  /** Scopes, for example to see which optional ones the user has allowed. */
  readonly scopes: readonly string[]
  /** Base address of the resource API. */
  readonly apiUrl: string
}

/** Gives access tokens as long as it can, to be the `accessToken` of `createClient`. */
export interface TokenSource extends AccessTokenSource {
  /** What the present token opens; fetches one where there is none. */
  granted(): Promise<Granted>
  /** Ends the tokens at the service and forgets them. May be repeated. */
  revoke(): Promise<void>
}

/** How a kind of tokens comes and goes. */
export interface TokenSupply {
  /** Gets other tokens than those, and other than the access token that the API refused. */
  renew(present: Tokens | undefined, refused: string | undefined): Promise<Tokens>
  /** Ends the present tokens at the service. */
  revoke(present: Tokens | undefined): Promise<void>
}

/** A source that asks its supply once, however many callers wait. */
export function tokenSource(clock: WaitingClock, supply: TokenSupply): TokenSource {
  let present: Tokens | undefined
  let renewal: Promise<Tokens> | undefined

  const renew = async (refused: string | undefined) => {
    try {
      present = await supply.renew(present, refused)
      return present
    } catch (error) {
      // The last minute is there to outlast a short outage.
      const usable = present && present.accessToken !== refused && clock.now() < present.expiresAt
      if (present && usable && isOutage(error)) return present
      throw error
    } finally {
      renewal = undefined
    }
  }

  const tokens = async (refused?: string) => {
    const usable = present && present.accessToken !== refused && isFresh(present, clock.now())
    if (present && usable && !renewal) return present
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
      await supply.revoke(present)
      present = undefined
    },
  }
}

/** The service gave no answer or could not; this says nothing about the tokens. */
export const isOutage = (error: unknown): error is SkillpassError =>
  error instanceof TransportError ||
  (error instanceof OAuthRequestError && (error.status === 429 || (error.status ?? 0) >= 500))
