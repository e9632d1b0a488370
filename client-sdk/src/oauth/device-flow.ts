import type { OAuthCalls } from '../generated/types.ts'
import { type Clock, systemClock } from '../transport.ts'
import { type AppOptions, oauthOf, type Scopes, scopeText } from './app.ts'
import { AuthorizationPendingError, DeviceCodeExpiredError, SlowDownError } from './errors.ts'
import { isOutage, type TokenSource } from './token-source.ts'
import { type TokenStore, type Tokens, tokensOf } from './tokens.ts'
import { resumedUserToken, userToken } from './user-token.ts'

/** Settings of `deviceFlow`. */
export interface DeviceFlowOptions extends AppOptions {
  /** Omit it for a public client, such as an app on a user's device. */
  readonly clientSecret?: string | undefined
  /** Scopes to request. Default: all scopes of the app. */
  readonly scope?: Scopes | undefined
  /** Store for the tokens of this device. Default: memory. */
  readonly store?: TokenStore | undefined
}

/** A started device authorization. Show `userCode` and `verificationUri` to the user. */
export interface DeviceAuthorization {
  /** Code that the user enters at `verificationUri`. */
  readonly userCode: string
  readonly verificationUri: string
  /** `verificationUri` with the code filled in, for example for a QR code. */
  readonly verificationUriComplete: string
  /** Seconds until the code expires. */
  readonly expiresIn: number
  /**
   * Waits for the user's decision and returns a token source. You may call it again after an abort. After
   * a TokenStoreError, another call saves the tokens without requesting new ones.
   *
   * @throws AccessDeniedError if the user denied access; DeviceCodeExpiredError if the code expired;
   * OAuthRequestError; the signal's reason.
   */
  wait(options?: { readonly signal?: AbortSignal | undefined }): Promise<TokenSource>
}

/** Device authorization flow. */
export interface DeviceFlow {
  /** Requests a device code and a user code. */
  start(): Promise<DeviceAuthorization>
  /** Returns a token source for the stored tokens; undefined if the user has to authorize. */
  resume(): Promise<TokenSource | undefined>
}

/**
 * Creates a device authorization flow (RFC 8628): the user allows the app on another device.
 *
 * @example
 * const flow = deviceFlow({ authUrl, clientId, clientSecret, store })
 * const device = await flow.start()
 * console.log(`Open ${device.verificationUri} and enter ${device.userCode}.`)
 * const accessToken = await device.wait()
 * const { platform } = createClient({ baseUrl, apiUrl, accessToken })
 * @param clock Time and random numbers, for tests.
 */
export function deviceFlow(options: DeviceFlowOptions, clock: Clock = systemClock): DeviceFlow {
  const { store } = options
  const oauth = oauthOf(clock, options)
  return {
    async start() {
      const scope = options.scope === undefined ? {} : { scope: scopeText(options.scope) }
      const requestedAt = clock.now()
      const codes = await oauth.device({ body: scope })
      const poll = poller(clock, oauth, codes, requestedAt + codes.expires_in * 1000)
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

/** Polls as RFC 8628 §3.5 requires: never sooner than the interval, which only grows. */
function poller(
  clock: Clock,
  oauth: OAuthCalls,
  codes: { device_code: string; interval: number },
  expiresAt: number,
): (signal: AbortSignal | undefined) => Promise<Tokens> {
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
  const body = { grant_type: grantType, device_code: codes.device_code } as const
  let intervalMs = codes.interval * 1000
  return async (signal) => {
    for (let outages = 0, minWaitMs = 0; ; ) {
      signal?.throwIfAborted()
      await clock.sleep(Math.max(intervalMs, minWaitMs), signal)
      const issuedAt = clock.now()
      if (issuedAt >= expiresAt) throw expired()
      try {
        return tokensOf(await oauth.token({ body, signal, retries: 0 }), issuedAt)
      } catch (error) {
        if (error instanceof SlowDownError) intervalMs += slowDownMs
        else if (!(error instanceof AuthorizationPendingError) && !isOutage(error)) throw error
        outages = isOutage(error) ? outages + 1 : 0
        const retryAfterMs = isOutage(error) ? (error.retryAfter ?? 0) * 1000 : 0
        minWaitMs =
          outages && Math.max(retryAfterMs, Math.min(maxBackoffMs, intervalMs * 2 ** outages))
      }
    }
  }
}

/**
 * The error that the service returns for an expired code, in case the service cannot be reached.
 */
const expired = () =>
  new DeviceCodeExpiredError({
    code: 'expired_token',
    message: 'The device code expired before the user decided. Request a new one.',
  })
