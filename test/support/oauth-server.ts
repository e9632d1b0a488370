import { parseScopes } from '@skillpass/contract'
import { decideDevice, findWaitingDevice } from '@skillpass/server/oauth/device'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { createSession, findSession } from '@skillpass/server/platform/sign-in'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { onTestFinished } from 'vitest'
import {
  accountOf,
  appOf,
  callback,
  credentialsOf,
  type Declared,
  declare,
  password,
  userOf,
} from './apps.ts'
import {
  type App,
  accountToken,
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
import { type Call, callWith } from './platform.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

export * from './oauth-client.ts'

/** Calls of apps and decisions of users, at one server. */
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

/** A server with the declared accounts and apps. */
export type OAuthServer = ReturnType<typeof withApps>

const withApps = (server: TestServer, applied: Applied) => {
  const app = (name: string, of?: 'development' | 'production'): App =>
    credentialsOf(applied, name, of)
  const accountId = (name: string) => accountOf(applied, name).id
  return {
    ...server,
    ...callsOf(server),
    applied,
    app,
    accountId,
    appId: (name: string) => appOf(applied, name).id,
    idOf: (email: string) => userOf(applied, email).id,
    /** A new access token that a user has given an app. */
    tokenOf: async (name: string, email: string) =>
      (await grantOf(server, app(name), { email })).access_token,
    /** A new account token of a server-to-server app. */
    ownTokenOf: async (name: string, account: string) =>
      tokensOf(await accountToken(server, app(name), accountId(account))).access_token,
    /** Calls the resource API with an access token. */
    callWith: (accessToken: string, path: string, call?: Call) =>
      callWith(server, accessToken, path, call),
  }
}

/** The configured addresses of the two services. */
export const authUrl = 'http://auth.test'
export const apiUrl = 'http://api.test'

const addresses = { AUTH_URL: authUrl, API_URL: apiUrl }

/** A server with the accounts and apps of the tests, and those of `more`, for all tests of a file. */
export async function startOAuthServer(
  options: TestServerOptions = {},
  more?: Declared,
): Promise<OAuthServer> {
  const server = await startTestServer({ ...options, env: { ...addresses, ...options.env } })
  const { accounts, apps, ...applied } = await declare(server)
  const own = more && (await declare(server, more))
  return withApps(server, {
    ...applied,
    accounts: [...(own?.accounts ?? []), ...accounts],
    apps: [...apps, ...(own?.apps ?? [])],
  })
}

/** A server that ends with its test. */
export async function oauthServerForTest(options: TestServerOptions = {}): Promise<OAuthServer> {
  const server = await startOAuthServer(options)
  onTestFinished(server.end)
  return server
}

/** Another server on the database and clock of the first, with the same apps. */
export async function startSecondNode(
  first: OAuthServer,
  env: Record<string, string> = {},
): Promise<OAuthServer> {
  const { applied, clock, database } = first
  return withApps(
    await startTestServer({ database, clock, env: { ...addresses, ...env } }),
    applied,
  )
}

export const member = 'member@acme.test'

/** The query of an authorization request of an app. */
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

/** What grants are asked of. */
type Granting = Pick<TestServer, 'ctx' | 'http'>

const sessions = new WeakMap<object, Map<string, Promise<Session>>>()

/** A signed-in browser of a user, shared by the tests of a server. */
function sessionOf(server: Granting, email: string, isNew = false): Promise<Session> {
  const own = sessions.get(server.ctx) ?? new Map<string, Promise<Session>>()
  sessions.set(server.ctx, own)
  const session = (isNew ? undefined : own.get(email)) ?? signIn(server, { email, password })
  own.set(email, session)
  return session
}

/** Parameters of the request, the user (by default the member) and the optional scopes to tick. */
type Allowing = Record<string, string> & { email?: string; ticked?: string }

/** Lets a user allow an app, and returns the code. */
export async function codeOf(server: Granting, app: App, more: Allowing = {}): Promise<string> {
  const { email = member, ticked = '', ...query } = more
  const asked = { client_id: app.clientId, redirect_uri: callback, ...query }
  const options = { tick: parseScopes(ticked) }
  const session = await sessionOf(server, email)
  const first = await authorizeCode(session, asked, options)
  if (first.code) return first.code
  // The session may have expired, because a test has advanced the clock.
  const fresh = await sessionOf(server, email, true)
  const { code, location } = await authorizeCode(fresh, asked, options)
  if (!code) throw new Error(`There is no code: ${location}`)
  return code
}

/** Lets a user allow an app, and returns its tokens. */
export const grantOf = async (
  server: Granting,
  app: App,
  more: Record<string, string> = {},
): Promise<Tokens> => tokensOf(await exchange(server, app, await codeOf(server, app, more)))

interface Decision {
  email?: string
  allow?: boolean
  ticked?: string[]
}

/**
 * Lets a user decide about a device by the operations behind the pages, which have their own tests.
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
