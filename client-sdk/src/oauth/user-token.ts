import type { OAuthCalls } from '../generated/types.ts'
import type { WaitingClock } from '../transport.ts'
import { AuthorizeAgainError, TokenStoreError } from './errors.ts'
import { type TokenSource, tokenSource } from './token-source.ts'
import { isFresh, memoryTokenStore, type TokenStore, type Tokens, tokensOf } from './tokens.ts'

/** What the tokens of a user are kept and renewed with. */
export interface UserTokenOptions {
  readonly clock: WaitingClock
  readonly oauth: OAuthCalls
  /** Without one, memory alone. */
  readonly store: TokenStore | undefined
  /** Tokens that have just come and are still to be saved. */
  readonly unsaved?: Tokens
}

/** The refresh token is outdated, or the user is gone (OAuth spec §7). */
const ownerMissing = 4735

/** Refusals that stay: an admin may still approve an app again, or a scope be registered again. */
const isFinal = ({ number }: AuthorizeAgainError) => number === ownerMissing || number === 4741

/** How long to wait for another worker that has won the same refresh to save what it got. */
const waitsMs = [0, 200, 400, 800, 1600]

/** How many refresh tokens of other workers to try before giving up. */
const maxRounds = 3

/**
 * Tokens of a user, refreshed and kept. Each refresh token is good once, so what a refresh gives is
 * saved before anybody gets to see it, and is saved again, not asked for again, where that failed.
 */
export function userToken({ clock, oauth, store: given, unsaved }: UserTokenOptions): TokenSource {
  const store = given ?? memoryTokenStore()
  let ended: { readonly refreshToken: string; readonly error: unknown } | undefined

  const load = () => inStore('load', () => store.load())

  const saved = async (tokens: Tokens) => {
    unsaved = tokens
    await inStore('save', () => store.save(tokens))
    unsaved = undefined
    return tokens
  }

  const refresh = async (refreshToken: string) => {
    const issuedAt = clock.now()
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken } as const
    const tokens = tokensOf(await oauth.token({ body }), issuedAt)
    // A service may leave the refresh token as it is (RFC 6749 §6).
    return saved({ ...tokens, refreshToken: tokens.refreshToken ?? refreshToken })
  }

  const savedByAnother = async (refreshToken: string, error: AuthorizeAgainError) => {
    const waits = given && error.number === ownerMissing ? waitsMs : [0]
    for (const wait of waits) {
      if (wait > 0) await clock.sleep(wait, undefined)
      const stored = await load()
      if (stored && stored.refreshToken !== refreshToken) return stored
    }
    return undefined
  }

  return tokenSource(clock, {
    async renew(present, refused) {
      const usable = (tokens: Tokens) =>
        tokens.accessToken !== refused && isFresh(tokens, clock.now())
      if (unsaved) {
        const tokens = await saved(unsaved)
        if (usable(tokens)) return tokens
      }
      let tokens = (await load()) ?? present
      for (let round = 1; ; round++) {
        if (tokens && usable(tokens)) return tokens
        const refreshToken = tokens?.refreshToken
        if (!tokens || !refreshToken) throw noTokens()
        if (ended?.refreshToken === refreshToken) throw ended.error
        try {
          return await refresh(refreshToken)
        } catch (error) {
          if (!(error instanceof AuthorizeAgainError)) throw error
          tokens = round < maxRounds ? await savedByAnother(refreshToken, error) : undefined
          if (tokens) continue
          if (isFinal(error)) ended = { refreshToken, error }
          throw error
        }
      }
    },
    async revoke(present) {
      const tokens = unsaved ?? (await load()) ?? present
      if (tokens) await oauth.revoke({ body: { token: tokens.refreshToken ?? tokens.accessToken } })
      unsaved = undefined
      await inStore('clear', () => store.clear?.())
    },
  })
}

/** The tokens that the store has from an earlier time; undefined where it has none. */
export async function resumedUserToken(
  options: UserTokenOptions,
): Promise<TokenSource | undefined> {
  const stored = await inStore('load', () => options.store?.load())
  return stored && userToken(options)
}

const noTokens = () =>
  new AuthorizeAgainError({
    code: 'NO_TOKENS',
    message: 'There are no tokens, or no longer: the user has to authorize.',
  })

/** Tells failures of the app's own store from those of the service. */
async function inStore<T>(act: 'load' | 'save' | 'clear', work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TokenStoreError({ message: `The token store could not ${act}: ${reason}`, cause })
  }
}
