import { credentialsOf, declare, password, testAccounts } from './apps.ts'
import { authorizeQuery, post } from './oauth-server.ts'
import { openSession, signIn } from './people.ts'
import { startTestServer, type TestServerOptions } from './server.ts'

export type Pages = Awaited<ReturnType<typeof startPages>>

/** Starts a server with the test accounts and apps, and returns functions to use its pages. */
export async function startPages(options: TestServerOptions = {}) {
  // The test clock does not move, so all requests of a file fall into one minute.
  const env = { RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0', ...options.env }
  const server = await startTestServer({ ...options, env })
  const applied = await declare(server, testAccounts)
  const asApp = async (name: string, path: string, form: Record<string, string>) => {
    const app = credentialsOf(applied, name)
    return JSON.parse((await post(server, path, form, { app, place: 'form' })).text)
  }
  return {
    server,
    applied,
    /** The authorization request of an app, as a URL. */
    authorizePath: (app: string, parameters?: Record<string, string>) =>
      `/oauth/authorize?${authorizeQuery(credentialsOf(applied, app), parameters)}`,
    signIn: (email: string) => signIn(server, { email, password }),
    stranger: () => openSession(server),
    deviceCode: (app: string): Promise<Record<'device_code' | 'user_code', string>> =>
      asApp(app, '/oauth/devicecode', {}),
    /** Sends a token request as an app. Returns the tokens or the error. */
    token: (app: string, form: Record<string, string>): Promise<Record<string, string>> =>
      asApp(app, '/oauth/token', form),
  }
}
