import { createHash, randomBytes } from 'node:crypto'
import { parseScopes } from '@skillpass/contract'
import type { Applied } from '@skillpass/server/apply/apply'
import { decideDevice, findWaitingDevice } from '@skillpass/server/oauth/device'
import { createSession, findSession } from '@skillpass/server/platform/sign-in'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { expect, onTestFinished } from 'vitest'
import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts'
import { callback, credentialsOf, declare, password } from './acme.ts'
import { authorizeCode, type Session, signIn } from './sign-in.ts'

/** How the tests of the authorization service drive a server: words that several files share. */

export interface App {
  readonly clientId: string
  readonly clientSecret: string
}

/** A test's server with the declared accounts and apps. */
export interface Scene extends TestServer {
  readonly applied: Applied
  app(name: string, environment?: 'development' | 'production'): App
}

/** Addresses of the two services, as the configuration of a test names them. */
export const authUrl = 'http://auth.test'
export const apiUrl = 'http://api.test'

const addresses = { AUTH_URL: authUrl, API_URL: apiUrl }

/** A server with accounts and apps, for all tests of a file. */
export async function startScene(options: TestServerOptions = {}): Promise<Scene> {
  const server = await startTestServer({ ...options, env: { ...addresses, ...options.env } })
  const applied = await declare(server)
  return { ...server, applied, app: (name, of) => credentialsOf(applied, name, of) }
}

/** The same within a test, which ends with it. */
export async function sceneOfTest(options: TestServerOptions = {}): Promise<Scene> {
  const scene = await startScene(options)
  onTestFinished(scene.end)
  return scene
}

/** Another server on the scene's database and clock, with the same apps. */
export async function startTwin(scene: Scene, env: Record<string, string> = {}): Promise<Scene> {
  const { applied, app, clock, database } = scene
  const twin = await startTestServer({ database, clock, env: { ...addresses, ...env } })
  return { ...twin, applied, app }
}

export const basic = ({ clientId, clientSecret }: App): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

type Parameters = Record<string, string> | [string, string][]

interface Sending {
  /** Signs in by Basic. */
  app?: App
  /** Where the parameters stand; by default in the query without a body, as the spec shows it. */
  place?: 'query' | 'form'
  headers?: Record<string, string>
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, where it is an object. */
  readonly body: Record<string, unknown>
}

type Http = Pick<TestServer, 'http'>

/** A POST to the authorization service. */
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

/** Reads an answer to its end. */
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

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const exchange = (
  server: Http,
  app: App,
  code: string,
  more: Record<string, string> = {},
): Promise<Answer> =>
  token(server, app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    ...more,
  })

export const refresh = (
  server: Http,
  app: App,
  refreshToken: unknown,
  more: Record<string, string> = {},
): Promise<Answer> =>
  token(server, app, {
    grant_type: 'refresh_token',
    refresh_token: String(refreshToken),
    ...more,
  })

export const poll = (server: Http, app: App, deviceCode: unknown): Promise<Answer> =>
  token(server, app, { grant_type: deviceGrant, device_code: String(deviceCode) })

/** A call of the resource API. */
export const me = (server: Http, accessToken: unknown): Promise<Answer> =>
  read(server.http('/v2/users/me', { headers: { Authorization: `Bearer ${accessToken}` } }))

/** Tokens as a response holds them. */
export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

/** The tokens of an answer that must be good. */
export function tokensOf(answer: Answer): Tokens {
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  const { access_token, refresh_token, scope } = answer.body
  return {
    access_token: String(access_token),
    refresh_token: String(refresh_token),
    scope: String(scope),
  }
}

/** How a refusal reads: status, word and, where there is one, number. */
export const refusal = ({ status, body }: Answer): string =>
  [status, body.error ?? 'none', ...('code' in body ? [body.code] : [])].join(' ')

export const member = 'member@acme.test'

/** Query of an authorization request of an app. */
export const asking = (app: App, more: Record<string, string> = {}): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: callback,
    ...more,
  }).toString()

const sessions = new WeakMap<object, Map<string, Promise<Session>>>()

/** A browser that the user has signed in with; one for all tests on a server. */
function sessionOf(server: TestServer, email: string, isNew = false): Promise<Session> {
  const own = sessions.get(server.ctx) ?? new Map<string, Promise<Session>>()
  sessions.set(server.ctx, own)
  const session = (isNew ? undefined : own.get(email)) ?? signIn(server, { email, password })
  own.set(email, session)
  return session
}

/** A code that a user has allowed an app; of the optional scopes those to `ticked`. */
export async function codeOf(
  server: TestServer,
  app: App,
  more: Record<string, string> & { email?: string; ticked?: string } = {},
): Promise<string> {
  const { email = member, ticked = '', ...query } = more
  const asked = { client_id: app.clientId, redirect_uri: callback, ...query }
  const options = { tick: parseScopes(ticked) }
  const session = await sessionOf(server, email)
  const first = await authorizeCode(session, asked, options)
  if (first.code) return first.code
  // The clock may have been set on past the end of the session.
  const fresh = await sessionOf(server, email, true)
  const { code, location } = await authorizeCode(fresh, asked, options)
  if (!code) throw new Error(`No code came: ${location}`)
  return code
}

/** Tokens that a user has allowed an app. */
export const grantOf = async (
  server: TestServer,
  app: App,
  more: Record<string, string> = {},
): Promise<Tokens> => tokensOf(await exchange(server, app, await codeOf(server, app, more)))

/**
 * Lets a user decide about a device. The pages have tests of their own; here the operations behind
 * them do.
 */
export async function decide(
  server: TestServer,
  userCode: unknown,
  { email = member, allow = true, ticked = [] as string[] } = {},
) {
  const user = await findUserByEmail(server.ctx.db.read, email)
  if (!user) throw new Error(`There is no user ${email}.`)
  const session = await findSession(server.ctx, await createSession(server.ctx, user))
  if (!session) throw new Error('There is no session.')
  const found = await findWaitingDevice(server.ctx, session, String(userCode), '127.0.0.1')
  const decision = { userCode: String(userCode), allow, ticked, address: '127.0.0.1' }
  return { found, decided: await decideDevice(server.ctx, session, decision) }
}

/** A verifier and its S256 challenge. */
export function pkce(verifier = randomBytes(32).toString('base64url')) {
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Sends as many at once. */
export const atOnce = <T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))

/** How often each text is there. */
export function tally(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}
