import type { OAuthCalls } from '../generated/types.ts'
import { systemClock, type WaitingClock } from '../transport.ts'
import { type AppOptions, oauthOf, type Scopes, scopeText } from './app.ts'
import { AuthorizationPendingError, DeviceCodeExpiredError, SlowDownError } from './errors.ts'
import { isOutage, type TokenSource } from './token-source.ts'
import { type TokenStore, type Tokens, tokensOf } from './tokens.ts'
import { resumedUserToken, userToken } from './user-token.ts'

/** Settings of `deviceFlow`. */
export interface DeviceFlowOptions extends AppOptions {
  /** A public client, on a user's own device, has none. */
  readonly clientSecret?: string | undefined
  /** Scopes to ask for; all of the app without it. */
  readonly scope?: Scopes | undefined
  /** Where the tokens of this device are kept; in memory without it. */
  readonly store?: TokenStore | undefined
}

/** What to show the user, who goes on with another device. */
export interface DeviceAuthorization {
  /** What the user enters at `verificationUri`. */
  readonly userCode: string
  readonly verificationUri: string
  /** The address with the code filled in, for a QR code. */
  readonly verificationUriComplete: string
  /** Seconds that the user has. */
  readonly expiresIn: number
  /**
   * Waits until the user has decided. It may be called again after an abort, and after a
   * TokenStoreError, when it saves the tokens without asking for others.
   *
   * @throws AccessDeniedError where the user said no; DeviceCodeExpiredError where the time is over;
   * OAuthRequestError; the signal's reason.
   */
  wait(options?: { readonly signal?: AbortSignal | undefined }): Promise<TokenSource>
}

/** User authorization for a device without a browser. */
export interface DeviceFlow {
  /** Asks for codes. */
  start(): Promise<DeviceAuthorization>
  /** The tokens that the store has from an earlier time; undefined where the user has to authorize. */
  resume(): Promise<TokenSource | undefined>
}

/**
 * Asks a user for consent on another device (OAuth spec §3, RFC 8628).
 *
 * @example
 * const flow = deviceFlow({ authUrl, clientId, clientSecret, store })
 * const device = await flow.start()
 * console.log(`Open ${device.verificationUri} and enter ${device.userCode}.`)
 * const accessToken = await device.wait()
 * const { platform } = createClient({ baseUrl, apiUrl, accessToken })
 * @param clock time and chance, which tests set.
 */
export function deviceFlow(
  options: DeviceFlowOptions,
  clock: WaitingClock = systemClock,
): DeviceFlow {
  const { store } = options
  const oauth = oauthOf(clock, options)
  return {
    async start() {
      const scope = options.scope === undefined ? {} : { scope: scopeText(options.scope) }
      const asked = clock.now()
      const codes = await oauth.device({ body: scope })
      const poll = poller(clock, oauth, codes, asked + codes.expires_in * 1000)
      let source: TokenSource | undefined
      return {
        userCode: codes.user_code,
        verificationUri: codes.verification_uri,
        verificationUriComplete: codes.verification_uri_complete,
        expiresIn: codes.expires_in,
        async wait({ signal } = {}) {
          source ??= userToken({ clock, oauth, store, unsaved: await poll(signal) })
          await source.getToken()
          return source
        },
      }
    },
    resume: () => resumedUserToken({ clock, oauth, store }),
  }
}

const slowDownMs = 5_000
const maxBackoffMs = 60_000

/** Polls by the rules of RFC 8628 §3.5: never sooner than the interval, which only grows. */
function poller(
  clock: WaitingClock,
  oauth: OAuthCalls,
  codes: { device_code: string; interval: number },
  expiresAt: number,
): (signal: AbortSignal | undefined) => Promise<Tokens> {
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
  const body = { grant_type: grantType, device_code: codes.device_code } as const
  let intervalMs = codes.interval * 1000
  return async (signal) => {
    for (let outages = 0, leastMs = 0; ; ) {
      signal?.throwIfAborted()
      await clock.sleep(Math.max(intervalMs, leastMs), signal)
      const issuedAt = clock.now()
      if (issuedAt >= expiresAt) throw expired()
      try {
        return tokensOf(await oauth.token({ body, signal, retries: 0 }), issuedAt)
      } catch (error) {
        if (error instanceof SlowDownError) intervalMs += slowDownMs
        else if (!(error instanceof AuthorizationPendingError) && !isOutage(error)) throw error
        outages = isOutage(error) ? outages + 1 : 0
        const asked = isOutage(error) ? (error.retryAfter ?? 0) * 1000 : 0
        leastMs = outages && Math.max(asked, Math.min(maxBackoffMs, intervalMs * 2 ** outages))
      }
    }
  }
}

/** What the service would say, had it been reached. */
const expired = () =>
  new DeviceCodeExpiredError({
    code: 'expired_token',
    message: 'The user did not decide in time; ask for a new device code.',
  })
