import type { TokenStore, Tokens } from '@skillpass/client'
import { type OAuthErrorName, oauthErrors } from '@skillpass/contract'
import { type Received, type Reply, serve } from './fixture.ts'

/** Creates a clock that advances during `sleep` and when a test advances it. */
export function sleepingClock() {
  let now = Date.parse('2026-11-21T09:30:00Z')
  const sleeps: number[] = []
  return {
    sleeps,
    now: () => now,
    random: () => 0.5,
    advance(ms: number) {
      now += ms
    },
    async sleep(ms: number, signal: AbortSignal | undefined) {
      signal?.throwIfAborted()
      sleeps.push(ms)
      now += ms
      // Yield, so that pending network responses arrive, as during a real wait.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** Returns a token response whose tokens end in `n`. */
export const tokenResponse = (n: number | string, more: object = {}): Reply => ({
  body: {
    access_token: `sat_${n}`,
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'user:read:user meeting:write:meeting',
    api_url: 'https://api.test',
    ...more,
  },
})

/** Returns a token response with a refresh token. */
export const grantResponse = (n: number | string, more: object = {}) =>
  tokenResponse(n, { refresh_token: `srt_${n}`, ...more })

/** Returns an error response of the authorization service. */
export function errorResponse(name: OAuthErrorName): Reply {
  const { status, description, error, ...numbered } = oauthErrors[name]
  return { status, body: { error, error_description: description, ...numbered } }
}

/** Returns the parameters of a form. */
export const formOf = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body))

/** Credentials of the app in the fixtures. */
export const app = { clientId: 'Client-id_1', clientSecret: 'scs_Secret-1' }

/** `Authorization` header of the app. */
export const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`

/**
 * Starts a service that rotates refresh tokens: each is valid once, and reuse returns 4735. The
 * first is `srt_0`; new ones are numbered.
 */
export function rotatingService(before: (count: number) => Reply | undefined = () => undefined) {
  let latest = 0
  return serve((request, count) => {
    const scripted = before(count)
    if (scripted) return scripted
    if (request.url !== '/oauth/token') return { body: { status: 'success' } }
    if (formOf(request).refresh_token !== `srt_${latest}`) return errorResponse('owner_missing')
    latest++
    return grantResponse(latest)
  })
}

/** Creates a store in memory that records saves and can fail on demand. */
export function recordingStore(stored?: Tokens) {
  const saves: Tokens[] = []
  const store = {
    saves,
    failing: false,
    stored,
    load: async () => store.stored,
    async save(tokens: Tokens) {
      if (store.failing) throw new Error('The disk is full.')
      saves.push(tokens)
      store.stored = tokens
    },
    async clear() {
      store.stored = undefined
    },
  }
  return store satisfies TokenStore
}

export const storedTokens = (n: number, issuedAt: number): Tokens => ({
  accessToken: `sat_${n}`,
  refreshToken: `srt_${n}`,
  scope: 'user:read:user',
  apiUrl: 'https://api.test',
  issuedAt,
  expiresAt: issuedAt + 3_600_000,
})
