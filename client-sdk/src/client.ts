import { contract } from '#contract'
import { type Calls, callsOf } from './calls.ts'
import { type RegistryExtras, registryExtras } from './registry.ts'
import { type Clock, systemClock } from './transport.ts'

/** Settings of a client. */
export interface ClientOptions {
  /** Address of the service, for example `https://skills.example.com`. A path is kept. */
  readonly baseUrl: string
  /** Key of the agent, `skp_…`. Sent only to routes that need one, and only to `baseUrl`. */
  readonly apiKey?: string | undefined
  /** Replaces the platform's `fetch`, for a proxy or a test. */
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds that one attempt may take, 10,000 by default; 0 means no limit. */
  readonly timeoutMs?: number | undefined
  /** How often to repeat what may be repeated, 2 by default. */
  readonly retries?: number | undefined
}

type Contract = typeof contract

/** The typed client: the contract's own tree, and what is built on it. */
export type Client = Omit<Calls<Contract>, 'registry'> & {
  readonly registry: Calls<Contract['registry']> & RegistryExtras
}

/**
 * Makes a client. Nothing is sent before the first call.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.SKILLPASS_API_KEY })
 * const { data } = await client.registry.skills.resolve({ query: { task: 'fill in a PDF form' } })
 * @throws TypeError where `baseUrl` is no http address or `apiKey` could not stand in a header.
 */
export function createClient(options: ClientOptions): Client {
  return createClientOn(systemClock, options)
}

/** The same on a given clock, for tests. */
export function createClientOn(clock: Clock, options: ClientOptions): Client {
  const { apiKey, timeoutMs = 10_000, retries = 2 } = options
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be one line of visible ASCII characters.')
  }
  // Looked up at each call, so that a `fetch` that is replaced later, as tests do, is used.
  const fetcher: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))
  const wire = { fetch: fetcher, clock, timeoutMs, retries }
  const caller = { baseUrl: addressOf(options.baseUrl), apiKey, wire }
  const calls = callsOf(contract, caller)
  return { ...calls, registry: { ...calls.registry, ...registryExtras(calls.registry, caller) } }
}

function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new TypeError(`baseUrl must be an http or https address without query, not "${baseUrl}".`)
  }
  return url.href.replace(/\/+$/, '')
}
