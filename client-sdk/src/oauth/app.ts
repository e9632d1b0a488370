import { createClient } from '../client.ts'
import type { Clock } from '../transport.ts'

/** Settings of an app that requests tokens. */
export interface AppOptions {
  /** URL of the authorization service. */
  readonly authUrl: string
  readonly clientId: string
  /** Replacement for the global `fetch`, for example for a proxy or a test. */
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds to wait for each response; 0 means no limit. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

/** Returns the calls of the authorization service, authenticated as an app. */
export const oauthOf = (
  clock: Clock,
  options: AppOptions & { clientSecret?: string | undefined },
) => createClient({ ...options, baseUrl: options.authUrl }, clock).oauth

/** Scopes as a list, or as one string separated by spaces. */
export type Scopes = string | readonly string[]

/** Returns scopes separated by spaces (RFC 6749 §3.3). */
export const scopeText = (scopes: Scopes): string =>
  typeof scopes === 'string' ? scopes : scopes.join(' ')
