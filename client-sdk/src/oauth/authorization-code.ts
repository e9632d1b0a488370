import { addressOf } from '../client.ts'
import { oauthRoutes } from '../generated/tables.ts'
import { systemClock, type WaitingClock } from '../transport.ts'
import { type AppOptions, oauthOf, type Scopes, scopeText } from './app.ts'
import { codeOf } from './callback.ts'
import { challengeOf, randomText } from './pkce.ts'
import type { TokenSource } from './token-source.ts'
import { type TokenStore, tokensOf } from './tokens.ts'
import { resumedUserToken, userToken } from './user-token.ts'

/** Settings of `authorizationCode`. */
export interface AuthorizationCodeOptions extends AppOptions {
  /** A public client, on a user's own machine, has none. */
  readonly clientSecret?: string | undefined
  /** Registered address that the user comes back to, to the letter. */
  readonly redirectUri: string
  /** Where the tokens of this user are kept; in memory without it. */
  readonly store?: TokenStore | undefined
  /** What `iss` must be where it comes; `authUrl` without it. */
  readonly issuer?: string | undefined
}

/** What to ask the user for. */
export interface AuthorizationOptions {
  /** Scopes that are needed; the app's registered ones without it. */
  readonly scope?: Scopes | undefined
  /** Scopes that the user may leave out. */
  readonly optionalScope?: Scopes | undefined
  /** Whether what this user granted before comes along. */
  readonly includeGrantedScopes?: boolean | undefined
}

/** A request that the user has still to answer. All but `url` belongs into the user's session. */
export interface PendingAuthorization {
  /** Where to send the browser. */
  readonly url: string
  readonly state: string
  readonly codeVerifier: string
}

/** User authorization in a browser, for one user. */
export interface AuthorizationCodeFlow {
  /** Makes a request with a state and a PKCE verifier of its own. */
  start(options?: AuthorizationOptions): Promise<PendingAuthorization>
  /**
   * Takes the address that the browser came back to, whole or without the host, and exchanges its
   * code. After a TokenStoreError the same call saves the tokens, without another exchange.
   *
   * @throws StateMismatchError and its kin where the address answers another request;
   * AccessDeniedError where the user said no; OAuthRequestError.
   */
  finish(
    callbackUrl: string | URL,
    pending: Omit<PendingAuthorization, 'url'>,
  ): Promise<TokenSource>
  /** The tokens that the store has from an earlier time; undefined where the user has to authorize. */
  resume(): Promise<TokenSource | undefined>
}

/** Longest that a service takes a code for, ms (RFC 6749 §4.1.2). */
const codeLifeMs = 10 * 60_000

/**
 * Asks a user for consent (OAuth spec §4), always with PKCE S256. Make one for each user.
 *
 * @example
 * const flow = authorizationCode({ authUrl, clientId, clientSecret, redirectUri, store })
 * session.pending = await flow.start({ scope: 'user:read:user' })
 * response.redirect(session.pending.url)
 * // at redirectUri:
 * const accessToken = await flow.finish(request.url, session.pending)
 * const { platform } = createClient({ baseUrl, apiUrl, accessToken })
 * @param clock time and chance, which tests set.
 */
export function authorizationCode(
  options: AuthorizationCodeOptions,
  clock: WaitingClock = systemClock,
): AuthorizationCodeFlow {
  const { clientId, redirectUri, store } = options
  if (!URL.canParse(redirectUri)) throw new TypeError('redirectUri must be a whole address.')
  const authUrl = addressOf('authUrl', options.authUrl)
  const issuer = options.issuer ?? authUrl
  const oauth = oauthOf(clock, options)
  // A code used twice ends its grant, so a callback that comes twice, as a reload does, shares one
  // exchange for as long as a code can live.
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
      // Saves what has just come: an app may drop the source and go on with the store.
      await source.getToken()
      return source
    },
    resume: () => resumedUserToken({ clock, oauth, store }),
  }
}
