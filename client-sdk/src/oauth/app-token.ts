import type { OAuthCalls } from '../generated/types.ts'
import { type Clock, systemClock } from '../transport.ts'
import { type AppOptions, oauthOf, type Scopes, scopeText } from './app.ts'
import { type TokenSource, tokenSource } from './token-source.ts'
import { tokensOf } from './tokens.ts'

/** Settings of `clientToken`. */
export interface ClientTokenOptions extends AppOptions {
  readonly clientSecret: string
  /** Scopes to request. Default: all scopes of the app. */
  readonly scope?: Scopes | undefined
}

/** Settings of `accountToken`. */
export interface AccountTokenOptions extends ClientTokenOptions {
  /** The account that the app belongs to. */
  readonly accountId: string
}

/**
 * Returns a token source for a server-to-server app that acts on its own account, without a user
 * (`account_credentials` grant).
 *
 * @example
 * const accessToken = accountToken({ authUrl, clientId, clientSecret, accountId })
 * const { platform } = createClient({ baseUrl, apiUrl, accessToken })
 * console.log(await platform.users.get({ params: { userId: 'me' } }))
 * @param clock Time and random numbers, for tests.
 */
export function accountToken(
  options: AccountTokenOptions,
  clock: Clock = systemClock,
): TokenSource {
  const account = { grant_type: 'account_credentials', account_id: options.accountId } as const
  return appToken(clock, options, (oauth, scope) => oauth.token({ body: { ...account, ...scope } }))
}

/**
 * Returns a token source for a chatbot (`client_credentials` grant). The tokens can only send chat
 * messages.
 *
 * @example
 * const accessToken = clientToken({ authUrl, clientId, clientSecret })
 * const { platform } = createClient({ baseUrl, apiUrl, accessToken })
 * @param clock Time and random numbers, for tests.
 */
export function clientToken(options: ClientTokenOptions, clock: Clock = systemClock): TokenSource {
  const client = { grant_type: 'client_credentials' } as const
  return appToken(clock, options, (oauth, scope) => oauth.token({ body: { ...client, ...scope } }))
}

/**
 * Requests a new token when one expires, since these grants have no refresh token
 * (spec/oauth.md#grants).
 */
function appToken(
  clock: Clock,
  options: ClientTokenOptions,
  request: (oauth: OAuthCalls, scope: { scope?: string }) => ReturnType<OAuthCalls['token']>,
): TokenSource {
  const oauth = oauthOf(clock, options)
  const scope = options.scope === undefined ? {} : { scope: scopeText(options.scope) }
  return tokenSource(clock, {
    async renew() {
      const issuedAt = clock.now()
      return tokensOf(await request(oauth, scope), issuedAt)
    },
    async revoke(current) {
      if (current) await oauth.revoke({ body: { token: current.accessToken } })
    },
  })
}
