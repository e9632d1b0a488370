import { createHash, randomBytes } from 'node:crypto'
import { callback } from './apps.ts'
import type { TestServer } from './server.ts'

/** An app's calls to the authorization service and the resource API, over plain HTTP. */

export interface App {
  readonly clientId: string
  readonly clientSecret: string
}

export const basic = ({ clientId, clientSecret }: App): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

export type Parameters = Record<string, string> | [string, string][]

export interface Sending {
  /** Credentials for HTTP Basic. */
  app?: App
  /** Where the parameters go. The default is the query, without a body. */
  place?: 'query' | 'form'
  headers?: Record<string, string>
}

/** A response with its body. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body if it is a JSON object, otherwise an empty object. */
  readonly body: Record<string, unknown>
}

/** The server that receives the requests. */
export type Http = Pick<TestServer, 'http'>

/** Returns the server at an address. */
export const serverAt = (url: string): Http => ({
  // `new URL` would treat a path that begins with // as a host.
  http: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
})

export const member = 'member@acme.test'

/** Builds the query of an app's authorization request. */
export const authorizeQuery = (
  app: Pick<App, 'clientId'>,
  more: Record<string, string> = {},
): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: callback,
    ...more,
  }).toString()

/** Sends a POST to the authorization service. */
export function post(
  server: Http,
  path: string,
  parameters: Parameters = {},
  { app, place = 'query', headers = {} }: Sending = {},
): Promise<Answer> {
  const text = new URLSearchParams(parameters).toString()
  const all = { ...(app ? { Authorization: basic(app) } : {}), ...headers }
  if (place === 'query')
    return read(server.http(`${path}?${text}`, { method: 'POST', headers: all }))
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return read(server.http(path, { method: 'POST', headers: { ...type, ...all }, body: text }))
}

/** Reads a response and its body. */
export async function read(response: Promise<Response>): Promise<Answer> {
  const { status, headers, ...rest } = await response.then(async (one) => ({
    status: one.status,
    headers: one.headers,
    text: await one.text(),
  }))
  const isObject = rest.text.startsWith('{')
  return { status, headers, text: rest.text, body: isObject ? JSON.parse(rest.text) : {} }
}

export const token = (server: Http, app: App | undefined, parameters: Parameters) =>
  post(server, '/oauth/token', parameters, app ? { app } : {})

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const exchange = (
  server: Http,
  app: App,
  code: string,
  more: Record<string, string> = {},
): Promise<Answer> =>
  token(server, app, { grant_type: 'authorization_code', code, redirect_uri: callback, ...more })

export const refresh = (
  server: Http,
  app: App,
  refreshToken: unknown,
  more: Record<string, string> = {},
): Promise<Answer> =>
  token(server, app, { grant_type: 'refresh_token', refresh_token: String(refreshToken), ...more })

export const poll = (server: Http, app: App, deviceCode: unknown): Promise<Answer> =>
  token(server, app, { grant_type: deviceGrant, device_code: String(deviceCode) })

export const accountToken = (
  server: Http,
  app: App,
  accountId: string,
  more: Record<string, string> = {},
): Promise<Answer> =>
  token(server, app, { grant_type: 'account_credentials', account_id: accountId, ...more })

export const revoke = (server: Http, app: App, token: string): Promise<Answer> =>
  post(server, '/oauth/revoke', { token }, { app })

/** Calls the resource API for the user of a token. */
export const me = (server: Http, accessToken: unknown): Promise<Answer> =>
  read(server.http('/v2/users/me', { headers: { Authorization: `Bearer ${accessToken}` } }))

export type Tokens = ReturnType<typeof tokensOf>

/** Returns the tokens of a response. Throws if the status is not 200. */
export function tokensOf({ status, text, body }: Answer) {
  if (status !== 200) throw new Error(`The response has no tokens: ${status} ${text}`)
  const { access_token, refresh_token, scope } = body
  return {
    access_token: String(access_token),
    refresh_token: String(refresh_token),
    scope: String(scope),
  }
}

/** Formats the status, `error` and optional `code` of a response: `400 invalid_grant 4734`. */
export const refusal = ({ status, body }: Answer): string =>
  [status, body.error ?? 'none', ...('code' in body ? [body.code] : [])].join(' ')

/**
 * Generates a PKCE verifier, its S256 challenge, and the parameters of a request with the
 * challenge.
 */
export function pkce(verifier = randomBytes(32).toString('base64url')) {
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
  return { verifier, challenge, asked }
}

/** Sends `count` requests concurrently. */
export const atOnce = <T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))

/** Counts equal strings. */
export function tally(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}
