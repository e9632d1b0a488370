import { callsOf } from './calls.ts'
import { type AccessToken, accessTokenSource, appCredentials } from './credentials.ts'
import { oauthRoutes, platformRoutes, registryRoutes } from './generated/tables.ts'
import type { OAuthCalls, PlatformCalls, RegistryCalls } from './generated/types.ts'
import { oauthRefusal, platformRefusal, registryRefusal } from './refusals.ts'
import { type RegistryExtras, registryExtras } from './registry.ts'
import { systemClock, type Wait, type WaitingClock, type Wire } from './transport.ts'

/** Settings of a client. */
export interface ClientOptions {
  /** Address of the service, for example `https://skills.example.com`. A path is kept. */
  readonly baseUrl: string
  /** Address of the authorization service, where it is another. */
  readonly authUrl?: string | undefined
  /** Address of the resource API, where it is another. */
  readonly apiUrl?: string | undefined
  /** Key of the agent, `skp_…`. Sent only to routes that need one, and only to `baseUrl`. */
  readonly apiKey?: string | undefined
  /** Id of the app. Sent only to `authUrl`. */
  readonly clientId?: string | undefined
  /** Secret of the app; a public client has none. Sent only to `authUrl`, where a route asks for it. */
  readonly clientSecret?: string | undefined
  /** Opens the resource API: a token, or what gives one. Sent only to `apiUrl`. */
  readonly accessToken?: AccessToken | undefined
  /** Replaces the platform's `fetch`, for a proxy or a test. */
  readonly fetch?: typeof fetch | undefined
  /**
   * Milliseconds until an answer must begin, and until more of it must come, 10,000 by default; 0 means no
   * limit. An answer may begin a second later for each 32 kB that are sent.
   */
  readonly timeoutMs?: number | undefined
  /** How often to repeat what may be repeated, 2 by default. */
  readonly retries?: number | undefined
  /**
   * Milliseconds that a call may wait in all because the service refuses it before it begins: after 429,
   * and after a 503 that says so. Such refusals then do not count as retries. Without it they do, and no
   * wait is longer than 30 seconds.
   */
  readonly maxWaitMs?: number | undefined
  /** Called before each wait, so that a program can show it. */
  readonly onWait?: ((wait: Wait) => void) | undefined
}

/** The typed client: the contract's own tree, and what is built on it. */
export interface Client {
  /** The authorization service: tokens for apps. */
  readonly oauth: OAuthCalls
  /** The resource API of the platform: users, meetings, messages, apps. */
  readonly platform: PlatformCalls
  /** The skill registry. */
  readonly registry: RegistryCalls & RegistryExtras
}

/**
 * Makes a client. Nothing is sent before the first call.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.SKILLPASS_API_KEY })
 * const { data } = await client.registry.skills.resolve({ query: { task: 'fill in a PDF form' } })
 * @example
 * const accessToken = accountToken({ authUrl, clientId, clientSecret, accountId })
 * const { platform } = createClient({ baseUrl, authUrl, apiUrl, accessToken })
 * const owner = await platform.users.get({ params: { userId: 'me' } })
 * @throws TypeError where an address is no http address or a credential could not stand in a header.
 * @param clock time and chance, which tests set.
 */
export function createClient(options: ClientOptions, clock: WaitingClock = systemClock): Client {
  const { apiKey } = options
  if (apiKey !== undefined && !fitsHeader(apiKey)) {
    throw new TypeError('apiKey must be one line of visible ASCII characters.')
  }
  const wire = wireOf(clock, options)
  const baseUrl = addressOf('baseUrl', options.baseUrl)
  const registry = { baseUrl, apiKey, wire, readRefusal: registryRefusal }
  const oauth = {
    baseUrl: addressOf('authUrl', options.authUrl ?? baseUrl),
    app: appCredentials(options.clientId, options.clientSecret),
    wire,
    readRefusal: oauthRefusal,
  }
  const platform = {
    baseUrl: addressOf('apiUrl', options.apiUrl ?? baseUrl),
    accessToken: accessTokenSource(options.accessToken),
    wire,
    readRefusal: platformRefusal,
  }
  const registryCalls = callsOf(registryRoutes, registry)
  const client = {
    oauth: callsOf(oauthRoutes, oauth),
    platform: callsOf(platformRoutes, platform),
    registry: { ...registryCalls, ...registryExtras(registryCalls, registry) },
  }
  registries.set(client, { address: baseUrl, wire })
  return client
}

/** The registry that a client calls, and by what. */
export interface CalledRegistry {
  readonly address: string
  readonly wire: Wire
}

const registries = new WeakMap<Client, CalledRegistry>()

/** The registry of a client, for what is built on it. */
export function calledRegistry(client: Client): CalledRegistry {
  const registry = registries.get(client)
  if (!registry) throw new TypeError('client must be one that createClient has made.')
  return registry
}

type WireOptions = Pick<ClientOptions, 'fetch' | 'timeoutMs' | 'retries' | 'maxWaitMs' | 'onWait'>

/** What calls are sent by. */
export function wireOf(clock: WaitingClock, options: WireOptions): Wire {
  const { timeoutMs = 10_000, retries = 2, maxWaitMs, onWait } = options
  // Looked up at each call, so that a `fetch` that is replaced later, as tests do, is used.
  const fetcher: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))
  return { fetch: fetcher, clock, timeoutMs, retries, maxWaitMs, onWait }
}

/** Whether a key can stand in a header: one line of visible ASCII characters. */
export const fitsHeader = (key: string): boolean => /^[\x21-\x7e]+$/.test(key)

/** An http or https address without a slash at its end, or a TypeError that names the setting. */
export function addressOf(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new TypeError(`${name} must be an http or https address without query, not "${address}".`)
  }
  return url.href.replace(/\/+$/, '')
}
