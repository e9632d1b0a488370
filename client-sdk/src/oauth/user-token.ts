import type { OAuthCalls } from '../generated/types.ts'
import type { Clock } from '../transport.ts'
import { AuthorizeAgainError, TokenStoreError } from './errors.ts'
import { type TokenSource, tokenSource } from './token-source.ts'
import { isFresh, memoryTokenStore, type TokenStore, type Tokens, tokensOf } from './tokens.ts'

/** Settings of `userToken`. */
export interface UserTokenOptions {
  readonly clock: Clock
  readonly oauth: OAuthCalls
  /** Default: memory. */
  readonly store: TokenStore | undefined
  /** New tokens that are not in the store yet. */
  readonly unsaved?: Tokens
}

/** The refresh token was used already, or the user no longer exists (spec/oauth.md#errors). */
const ownerMissing = 4735

/**
 * The other errors may pass: an admin may approve the app again, or a scope may be registered
 * again.
 */
const isFinal = ({ number }: AuthorizeAgainError) => number === ownerMissing || number === 4741

/**
 * Waits before each read of the store while another worker saves the tokens of the same refresh.
 */
const storePollsMs = [0, 200, 400, 800, 1600]

/** Maximum number of refresh tokens to try if other workers keep replacing them. */
const maxAttempts = 3

/**
 * Creates a token source for a user. A refresh token is valid once, so new tokens are saved before
 * a caller gets them. If saving fails, the next call saves them without another refresh.
 */
export function userToken({
  clock,
  oauth,
  store: persistent,
  unsaved,
}: UserTokenOptions): TokenSource {
  const store = persistent ?? memoryTokenStore()
  let ended: { readonly refreshToken: string; readonly error: unknown } | undefined

  const load = () => callStore('load', () => store.load())

  const saved = async (tokens: Tokens) => {
    unsaved = tokens
    await callStore('save', () => store.save(tokens))
    unsaved = undefined
    return tokens
  }

  const refresh = async (refreshToken: string) => {
    const issuedAt = clock.now()
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken } as const
    const tokens = tokensOf(await oauth.token({ body }), issuedAt)
    // The service may keep the refresh token (RFC 6749 §6).
    return saved({ ...tokens, refreshToken: tokens.refreshToken ?? refreshToken })
  }

  const savedByAnother = async (refreshToken: string, error: AuthorizeAgainError) => {
    const waits = persistent && error.number === ownerMissing ? storePollsMs : [0]
    for (const wait of waits) {
      if (wait > 0) await clock.sleep(wait, undefined)
      const stored = await load()
      if (stored && stored.refreshToken !== refreshToken) return stored
    }
    return undefined
  }

  return tokenSource(clock, {
    async renew(current, refused) {
      const usable = (tokens: Tokens) =>
        tokens.accessToken !== refused && isFresh(tokens, clock.now())
      if (unsaved) {
        const tokens = await saved(unsaved)
        if (usable(tokens)) return tokens
      }
      let tokens = (await load()) ?? current
      for (let attempt = 1; ; attempt++) {
        if (tokens && usable(tokens)) return tokens
        const refreshToken = tokens?.refreshToken
        if (!tokens || !refreshToken) throw noTokens()
        if (ended?.refreshToken === refreshToken) throw ended.error
        try {
          return await refresh(refreshToken)
        } catch (error) {
          if (!(error instanceof AuthorizeAgainError)) throw error
          tokens = attempt < maxAttempts ? await savedByAnother(refreshToken, error) : undefined
          if (tokens) continue
          if (isFinal(error)) ended = { refreshToken, error }
          throw error
        }
      }
    },
    async revoke(current) {
      const tokens = unsaved ?? (await load()) ?? current
      if (tokens) await oauth.revoke({ body: { token: tokens.refreshToken ?? tokens.accessToken } })
      unsaved = undefined
      await callStore('clear', () => store.clear?.())
    },
  })
}

/** Creates a token source for the stored tokens; undefined if the store is empty. */
export async function resumedUserToken(
  options: UserTokenOptions,
): Promise<TokenSource | undefined> {
  const stored = await callStore('load', () => options.store?.load())
  return stored && userToken(options)
}

const noTokens = () =>
  new AuthorizeAgainError({
    code: 'NO_TOKENS',
    message: 'The token store is empty. Let the user authorize.',
  })

/** Wraps errors of the store in TokenStoreError. */
async function callStore<T>(act: 'load' | 'save' | 'clear', work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TokenStoreError({ message: `The token store failed to ${act}: ${reason}`, cause })
  }
}
