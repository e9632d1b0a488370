import { createClient } from '../client.ts'
import type { WaitingClock } from '../transport.ts'

/** The app that asks for tokens, and where. */
export interface AppOptions {
  /** Address of the authorization service. */
  readonly authUrl: string
  readonly clientId: string
  /** Replaces the platform's `fetch`, for a proxy or a test. */
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds that one request may take, 10,000 by default; 0 means no limit. */
  readonly timeoutMs?: number | undefined
}

/** The calls of the authorization service as an app. */
export const oauthOf = (
  clock: WaitingClock,
  options: AppOptions & { clientSecret?: string | undefined },
) => createClient({ ...options, baseUrl: options.authUrl }, clock).oauth

/** Scopes, as a list or separated by spaces. */
export type Scopes = string | readonly string[]

/** Scopes as they stand in a request (RFC 6749 §3.3). */
export const scopeText = (scopes: Scopes): string =>
  typeof scopes === 'string' ? scopes : scopes.join(' ')
