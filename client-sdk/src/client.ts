import { callsOf } from './calls.ts'
import { type AccessToken, accessTokenSource, appCredentials } from './credentials.ts'
import { readOAuthError, readPlatformError, readRegistryError } from './error-responses.ts'
import { oauthRoutes, platformRoutes, registryRoutes } from './generated/tables.ts'
import type { OAuthCalls, PlatformCalls, RegistryCalls } from './generated/types.ts'
import { type RegistryExtras, registryExtras } from './registry.ts'
import { type Clock, systemClock, type Transport, type Wait } from './transport.ts'

/** Settings of a client. */
export interface ClientOptions {
  /** URL of the service, for example `https://skills.example.com`. It may have a path. */
  readonly baseUrl: string
  /** URL of the authorization service. Default: `baseUrl`. */
  readonly authUrl?: string | undefined
  /** URL of the resource API. Default: `baseUrl`. */
  readonly apiUrl?: string | undefined
  /** API key of the agent, `skp_…`. Sent only to `baseUrl`, and only to routes that use it. */
  readonly apiKey?: string | undefined
  /** Client id of the app. Sent only to `authUrl`. */
  readonly clientId?: string | undefined
  /**
   * Client secret of a confidential app. Sent only to `authUrl`, and only to routes that
   * authenticate the app.
   */
  readonly clientSecret?: string | undefined
  /** Access token for the resource API, or a source of tokens. Sent only to `apiUrl`. */
  readonly accessToken?: AccessToken | undefined
  /** Replacement for the global `fetch`, for example for a proxy or a test. */
  readonly fetch?: typeof fetch | undefined
  /**
   * Milliseconds to wait for the response to begin, and then for each further part; 0 means no
   * limit. The limit for the beginning grows by 1 second for each 32 kB of the request body.
   * Default: 10,000.
   */
  readonly timeoutMs?: number | undefined
  /** Maximum number of retries. Default: 2. */
  readonly retries?: number | undefined
  /**
   * Maximum total milliseconds that a call waits when the service rejects it before processing it:
   * 429, or 503 with `Skillpass-Begun: no`. If set, these rejections do not count as retries.
   * Otherwise they do, and a single wait is at most 30 seconds.
   */
  readonly maxWaitMs?: number | undefined
  /** Called before each wait, for example to show it to the user. */
  readonly onWait?: ((wait: Wait) => void) | undefined
}

/** Typed client of all services. */
export interface Client {
  /** The authorization service: tokens for apps. */
  readonly oauth: OAuthCalls
  /** The resource API of the platform: users, meetings, messages, apps. */
  readonly platform: PlatformCalls
  /** The skill registry. */
  readonly registry: RegistryCalls & RegistryExtras
}

/**
 * Creates a client. Sends no request before the first call.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.SKILLPASS_API_KEY })
 * const { data } = await client.registry.skills.resolve({ query: { task: 'fill in a PDF form' } })
 * @example
 * const accessToken = accountToken({ authUrl, clientId, clientSecret, accountId })
 * const { platform } = createClient({ baseUrl, authUrl, apiUrl, accessToken })
 * const owner = await platform.users.get({ params: { userId: 'me' } })
 * @throws TypeError if an address is not an http or https URL, or a credential contains invalid characters.
 * @param clock Time and random numbers, for tests.
 */
export function createClient(options: ClientOptions, clock: Clock = systemClock): Client {
  const { apiKey, timeoutMs = 10_000, retries = 2, maxWaitMs, onWait } = options
  if (apiKey !== undefined && !fitsHeader(apiKey)) {
    throw new TypeError('apiKey must be one line of visible ASCII characters.')
  }
  // Look up the global `fetch` on each call, since tests may replace it later.
  const fetcher: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))
  const transport = { fetch: fetcher, clock, timeoutMs, retries, maxWaitMs, onWait }
  const baseUrl = addressOf('baseUrl', options.baseUrl)
  const registry = { baseUrl, apiKey, transport, readError: readRegistryError }
  const oauth = {
    baseUrl: addressOf('authUrl', options.authUrl ?? baseUrl),
    app: appCredentials(options.clientId, options.clientSecret),
    transport,
    readError: readOAuthError,
  }
  const platform = {
    baseUrl: addressOf('apiUrl', options.apiUrl ?? baseUrl),
    accessToken: accessTokenSource(options.accessToken),
    transport,
    readError: readPlatformError,
  }
  const registryCalls = callsOf(registryRoutes, registry)
  const client = {
    oauth: callsOf(oauthRoutes, oauth),
    platform: callsOf(platformRoutes, platform),
    registry: { ...registryCalls, ...registryExtras(registryCalls, registry) },
  }
  registries.set(client, { address: baseUrl, apiKey, transport })
  return client
}

/** The registry of a client and how to call it. */
export interface RegistryConnection {
  readonly address: string
  readonly apiKey: string | undefined
  readonly transport: Transport
}

const registries = new WeakMap<Client, RegistryConnection>()

/** Returns the registry of a client. Throws TypeError unless `createClient` created the client. */
export function registryConnection(client: Client): RegistryConnection {
  const registry = registries.get(client)
  if (!registry) throw new TypeError('client must be created by createClient.')
  return registry
}

/** Returns whether a key consists of visible ASCII characters, as a header requires. */
export const fitsHeader = (key: string): boolean => /^[\x21-\x7e]+$/.test(key)

/**
 * Returns an http or https URL without a trailing slash. Throws a TypeError that names the setting.
 */
export function addressOf(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new TypeError(`${name} must be an http or https address without query, not "${address}".`)
  }
  return url.href.replace(/\/+$/, '')
}
