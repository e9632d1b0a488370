import type { OAuthCalls } from '../generated/types.ts'
import { systemClock, type WaitingClock } from '../transport.ts'
import { type AppOptions, oauthOf, type Scopes, scopeText } from './app.ts'
import { type TokenSource, tokenSource } from './token-source.ts'
import { tokensOf } from './tokens.ts'

/** Settings of `clientToken`. */
export interface ClientTokenOptions extends AppOptions {
  readonly clientSecret: string
  /** Fewer scopes than the app has. */
  readonly scope?: Scopes | undefined
}

/** Settings of `accountToken`. */
export interface AccountTokenOptions extends ClientTokenOptions {
  /** The account that the app belongs to. */
  readonly accountId: string
}

/**
 * Tokens for a server-to-server app on its own account; no user is involved (OAuth spec §5).
 *
 * @example
 * const accessToken = accountToken({ authUrl, clientId, clientSecret, accountId })
 * const { platform } = createClient({ baseUrl, apiUrl, accessToken })
 * console.log(await platform.users.get({ params: { userId: 'me' } }))
 * @param clock time and chance, which tests set.
 */
export function accountToken(
  options: AccountTokenOptions,
  clock: WaitingClock = systemClock,
): TokenSource {
  const account = { grant_type: 'account_credentials', account_id: options.accountId } as const
  return appToken(clock, options, (oauth, scope) => oauth.token({ body: { ...account, ...scope } }))
}

/**
 * Tokens for a chatbot; they open its messages alone (OAuth spec §1).
 *
 * @example
 * const bot = clientToken({ authUrl, clientId, clientSecret })
 * const token = await bot.getToken()
 * @param clock time and chance, which tests set.
 */
export function clientToken(
  options: ClientTokenOptions,
  clock: WaitingClock = systemClock,
): TokenSource {
  const client = { grant_type: 'client_credentials' } as const
  return appToken(clock, options, (oauth, scope) => oauth.token({ body: { ...client, ...scope } }))
}

/** Tokens of an app by itself have no refresh token: when one ends, another is asked for (OAuth spec §8). */
function appToken(
  clock: WaitingClock,
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
    async revoke(present) {
      if (present) await oauth.revoke({ body: { token: present.accessToken } })
    },
  })
}
