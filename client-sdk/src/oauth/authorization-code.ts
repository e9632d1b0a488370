import { addressOf } from '../client.ts'
import { oauthRoutes } from '../generated/tables.ts'
import { type Clock, systemClock } from '../transport.ts'
import { type AppOptions, oauthOf, type Scopes, scopeText } from './app.ts'
import { codeOf } from './callback.ts'
import { challengeOf, randomText } from './pkce.ts'
import type { TokenSource } from './token-source.ts'
import { type TokenStore, tokensOf } from './tokens.ts'
import { resumedUserToken, userToken } from './user-token.ts'

/** Settings of `authorizationCode`. */
export interface AuthorizationCodeOptions extends AppOptions {
  /** Omit it for a public client, such as an app on a user's device. */
  readonly clientSecret?: string | undefined
  /** Redirect URI, exactly as registered. */
  readonly redirectUri: string
  /** Store for the tokens of this user. Default: memory. */
  readonly store?: TokenStore | undefined
  /** Expected `iss` of the callback, if the callback has one. Default: `authUrl`. */
  readonly issuer?: string | undefined
}

/** Options of one authorization request. */
export interface AuthorizationOptions {
  /** Required scopes. Default: the registered scopes of the app. */
  readonly scope?: Scopes | undefined
  /** Scopes that the user may decline. */
  readonly optionalScope?: Scopes | undefined
  /** Whether to include the scopes that the user granted before. */
  readonly includeGrantedScopes?: boolean | undefined
}

/** A started authorization. Keep `state` and `codeVerifier` in the user's session. */
export interface PendingAuthorization {
  /** URL to open in the user's browser. */
  readonly url: string
  readonly state: string
  readonly codeVerifier: string
}

/** Authorization code flow for one user. */
export interface AuthorizationCodeFlow {
  /** Starts an authorization with a new `state` and a new PKCE verifier. */
  start(options?: AuthorizationOptions): Promise<PendingAuthorization>
  /**
   * Exchanges the code of a callback for tokens. After a TokenStoreError, call it again: it saves the
   * tokens without a second exchange.
   *
   * @param callbackUrl URL of the callback. A path with its query is sufficient.
   * @throws StateMismatchError, IssuerMismatchError or CallbackError if the callback belongs to another
   * request; AccessDeniedError if the user denied access; OAuthRequestError.
   */
  finish(
    callbackUrl: string | URL,
    pending: Omit<PendingAuthorization, 'url'>,
  ): Promise<TokenSource>
  /** Returns a token source for the stored tokens; undefined if the user has to authorize. */
  resume(): Promise<TokenSource | undefined>
}

/** Maximum lifetime of a code that RFC 6749 §4.1.2 recommends. */
const codeLifeMs = 10 * 60_000

/**
 * Creates an authorization code flow, always with PKCE S256. Create one flow for each user.
 *
 * @example
 * const flow = authorizationCode({ authUrl, clientId, clientSecret, redirectUri, store })
 * session.pending = await flow.start({ scope: 'user:read:user' })
 * response.redirect(session.pending.url)
 * // at redirectUri:
 * const accessToken = await flow.finish(request.url, session.pending)
 * const { platform } = createClient({ baseUrl, apiUrl, accessToken })
 * @param clock Time and random numbers, for tests.
 */
export function authorizationCode(
  options: AuthorizationCodeOptions,
  clock: Clock = systemClock,
): AuthorizationCodeFlow {
  const { clientId, redirectUri, store } = options
  if (!URL.canParse(redirectUri)) throw new TypeError('redirectUri must be an absolute URL.')
  const authUrl = addressOf('authUrl', options.authUrl)
  const issuer = options.issuer ?? authUrl
  const oauth = oauthOf(clock, options)
  // Using a code twice revokes its grant. Repeated callbacks, such as a page reload, share one
  // exchange.
  const exchanges = new Map<string, { since: number; source: Promise<TokenSource> }>()

  const exchange = async (code: string, codeVerifier: string) => {
    const issuedAt = clock.now()
    const grant = { grant_type: 'authorization_code', code } as const
    const body = { ...grant, redirect_uri: redirectUri, code_verifier: codeVerifier }
    const unsaved = tokensOf(await oauth.token({ body }), issuedAt)
    return userToken({ clock, oauth, store, unsaved })
  }

  const exchangeOnce = (code: string, codeVerifier: string) => {
    const now = clock.now()
    for (const [old, { since }] of exchanges) {
      if (now - since > codeLifeMs) exchanges.delete(old)
    }
    const known = exchanges.get(code)
    if (known) return known.source
    const source = exchange(code, codeVerifier)
    exchanges.set(code, { since: now, source })
    source.catch(() => exchanges.delete(code))
    return source
  }

  return {
    async start(request = {}) {
      const state = randomText()
      const codeVerifier = randomText()
      const url = new URL(authUrl + oauthRoutes.authorize.path)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: await challengeOf(codeVerifier),
        code_challenge_method: 'S256',
        scope: request.scope && scopeText(request.scope),
        optional_scope: request.optionalScope && scopeText(request.optionalScope),
        include_granted_scopes: request.includeGrantedScopes ? 'true' : undefined,
      }
      for (const [name, value] of Object.entries(parameters)) {
        if (value) url.searchParams.set(name, value)
      }
      return { url: url.href, state, codeVerifier }
    },
    async finish(callbackUrl, { state, codeVerifier }) {
      const { searchParams } = new URL(callbackUrl, redirectUri)
      const code = codeOf(searchParams, { state, issuer })
      const source = await exchangeOnce(code, codeVerifier)
      // Save the tokens now: the app may drop the source and use only the store.
      await source.getToken()
      return source
    },
    resume: () => resumedUserToken({ clock, oauth, store }),
  }
}
