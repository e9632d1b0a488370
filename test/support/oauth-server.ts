import { parseScopes } from '@skillpass/contract'
import type { Applied } from '@skillpass/server/testing'
import { onTestFinished } from 'vitest'
import { accountOf, appOf, credentialsOf, type Declared, declare, userOf } from './apps.ts'
import {
  type App,
  accountToken,
  authorizeQuery,
  exchange,
  me,
  member,
  type Parameters,
  poll,
  post,
  refresh,
  type Sending,
  type Tokens,
  token,
  tokensOf,
} from './oauth-client.ts'
import { type Call, callWith } from './platform.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

export * from './oauth-client.ts'

/** Functions to call one server as apps and to decide as users. */
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
})

/** A running server with the declared accounts and apps. */
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
    /** Gets a new access token of a user for an app. */
    tokenOf: async (name: string, email: string) =>
      (await grantOf(server, app(name), { email })).access_token,
    /** Gets a new account token of a server-to-server app. */
    ownTokenOf: async (name: string, account: string, more?: Record<string, string>) =>
      tokensOf(await accountToken(server, app(name), accountId(account), more)).access_token,
    /** Gets a new client token of a chatbot. */
    botTokenOf: async (name: string, more: Record<string, string> = {}) =>
      tokensOf(await token(server, app(name), { grant_type: 'client_credentials', ...more }))
        .access_token,
    /** Requests a device code as an app. */
    deviceCodeOf: (of: App, more: Record<string, string> = {}) =>
      post(server, '/oauth/devicecode', { client_id: of.clientId, ...more }, { app: of }),
    /** Calls the resource API with an access token. */
    callWith: (accessToken: string, path: string, call?: Call) =>
      callWith(server, accessToken, path, call),
  }
}

/** The configured addresses of the authorization service and the resource API. */
export const authUrl = 'http://auth.test'
export const apiUrl = 'http://api.test'

const addresses = { AUTH_URL: authUrl, API_URL: apiUrl }

/** Starts a server for a file, with the test accounts and apps and those of `more`. */
export async function startOAuthServer(
  options: TestServerOptions = {},
  more?: Declared,
): Promise<OAuthServer> {
  const server = await startTestServer({ ...options, env: { ...addresses, ...options.env } })
  const { accounts, apps, ...applied } = await declare(server)
  const extra = more && (await declare(server, more))
  return withApps(server, {
    ...applied,
    accounts: [...(extra?.accounts ?? []), ...accounts],
    apps: [...apps, ...(extra?.apps ?? [])],
  })
}

/** Starts a server that stops with the current test. */
export async function oauthServerForTest(options: TestServerOptions = {}): Promise<OAuthServer> {
  const server = await startOAuthServer(options)
  onTestFinished(server.end)
  return server
}

/**
 * Starts a second server on the database and clock of the first. It stops with the current test.
 */
export async function startSecondNode(
  { applied, clock, database }: OAuthServer,
  env: Record<string, string> = {},
): Promise<OAuthServer> {
  const node = await startTestServer({ database, clock, env: { ...addresses, ...env } })
  onTestFinished(node.stop)
  return withApps(node, applied)
}

/** The server that grants are requested from. */
type Granting = Pick<TestServer, 'http' | 'visit'>

/** Request parameters, the user (default: the member) and the optional scopes to select. */
type Allowing = Record<string, string> & { email?: string; ticked?: string }

/** Allows an app as a user. Returns the authorization code. */
export async function codeOf(server: Granting, app: App, more: Allowing = {}): Promise<string> {
  const { email = member, ticked = '', ...query } = more
  const choice = { ticked: parseScopes(ticked) }
  const { code, location } = await server.visit(`?${authorizeQuery(app, query)}`, email, choice)
  if (!code) throw new Error(`The redirect has no code: ${location}`)
  return code
}

/** Allows an app as a user. Returns the tokens. */
export const grantOf = async (
  server: Granting,
  app: App,
  more: Record<string, string> = {},
): Promise<Tokens> => tokensOf(await exchange(server, app, await codeOf(server, app, more)))
