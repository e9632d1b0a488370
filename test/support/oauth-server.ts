import { parseScopes } from '@skillpass/contract'
import type { Applied } from '@skillpass/server/apply/apply'
import { decideDevice, findWaitingDevice } from '@skillpass/server/oauth/device'
import { createSession, findSession } from '@skillpass/server/platform/sign-in'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { onTestFinished } from 'vitest'
import { callback, credentialsOf, declare, password } from './apps.ts'
import {
  type App,
  exchange,
  me,
  type Parameters,
  poll,
  post,
  refresh,
  type Sending,
  type Tokens,
  token,
  tokensOf,
} from './oauth-client.ts'
import { authorizeCode, type Session, signIn } from './people.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

/** A server with accounts and apps, and what its users allow. */

export * from './oauth-client.ts'

/** How apps and users call a server. */
const callsOf = (server: TestServer) => ({
  post: (path: string, parameters?: Parameters, sending?: Sending) =>
    post(server, path, parameters, sending),
  token: (app: App | undefined, parameters: Parameters) => token(server, app, parameters),
  exchange: (app: App, code: string, more?: Record<string, string>) =>
    exchange(server, app, code, more),
  refresh: (app: App, refreshToken: unknown, more?: Record<string, string>) =>
    refresh(server, app, refreshToken, more),
  poll: (app: App, deviceCode: unknown) => poll(server, app, deviceCode),
  me: (accessToken: unknown) => me(server, accessToken),
  codeOf: (app: App, more?: Allowing) => codeOf(server, app, more),
  grantOf: (app: App, more?: Record<string, string>) => grantOf(server, app, more),
  decide: (userCode: unknown, decision?: Decision) => decide(server, userCode, decision),
})

/** A test's server with the declared accounts and apps. */
export interface OAuthServer extends TestServer, ReturnType<typeof callsOf> {
  readonly applied: Applied
  app(name: string, environment?: 'development' | 'production'): App
}

/** Addresses of the two services, as the configuration of a test names them. */
export const authUrl = 'http://auth.test'
export const apiUrl = 'http://api.test'

const addresses = { AUTH_URL: authUrl, API_URL: apiUrl }

/** A server with accounts and apps, for all tests of a file. */
export async function startOAuthServer(options: TestServerOptions = {}): Promise<OAuthServer> {
  const server = await startTestServer({ ...options, env: { ...addresses, ...options.env } })
  const applied = await declare(server)
  return {
    ...server,
    ...callsOf(server),
    applied,
    app: (name, of) => credentialsOf(applied, name, of),
  }
}

/** A scene of one test, which ends with it. */
export async function oauthServerForTest(options: TestServerOptions = {}): Promise<OAuthServer> {
  const scene = await startOAuthServer(options)
  onTestFinished(scene.end)
  return scene
}

/** Another server on the scene's database and clock, with the same apps. */
export async function startSecondNode(
  scene: OAuthServer,
  env: Record<string, string> = {},
): Promise<OAuthServer> {
  const { applied, app, clock, database } = scene
  const twin = await startTestServer({ database, clock, env: { ...addresses, ...env } })
  return { ...twin, ...callsOf(twin), applied, app }
}

export const member = 'member@testAccounts.test'

/** Query of an authorization request of an app. */
export const asking = (app: Pick<App, 'clientId'>, more: Record<string, string> = {}): string =>
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

/** What is asked of whom, by default of the member; of the optional scopes `ticked` are given. */
type Allowing = Record<string, string> & { email?: string; ticked?: string }

/** A code that a user has allowed an app; of the optional scopes those to `ticked`. */
export async function codeOf(server: TestServer, app: App, more: Allowing = {}): Promise<string> {
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

interface Decision {
  email?: string
  allow?: boolean
  ticked?: string[]
}

/**
 * Lets a user decide about a device. The pages have tests of their own; here the operations behind
 * them do.
 */
export async function decide(
  server: TestServer,
  userCode: unknown,
  { email = member, allow = true, ticked = [] }: Decision = {},
) {
  const user = await findUserByEmail(server.ctx.db.read, email)
  if (!user) throw new Error(`There is no user ${email}.`)
  const session = await findSession(server.ctx, await createSession(server.ctx, user))
  if (!session) throw new Error('There is no session.')
  const found = await findWaitingDevice(server.ctx, session, String(userCode), '127.0.0.1')
  const decision = { userCode: String(userCode), allow, ticked, address: '127.0.0.1' }
  return { found, decided: await decideDevice(server.ctx, session, decision) }
}
