import { callback, credentialsOf, declare, password, testAccounts } from './apps.ts'
import { openSession, signIn } from './people.ts'
import { startTestServer, type TestServerOptions } from './server.ts'

export type Pages = Awaited<ReturnType<typeof startPages>>

/** A server with the accounts and apps of the tests, and functions to use its pages. */
export async function startPages(options: TestServerOptions = {}) {
  // The tests' clock stands still, so all requests of a file fall into one minute.
  const env = { RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0', ...options.env }
  const server = await startTestServer({ ...options, env })
  const applied = await declare(server, testAccounts)
  const asApp = async (app: string, path: string, form: Record<string, string>) => {
    const { clientId, clientSecret } = credentialsOf(applied, app)
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const headers = { authorization: `Basic ${basic}` }
    const body = new URLSearchParams(form)
    return (await server.http(path, { method: 'POST', headers, body })).json()
  }
  return {
    server,
    applied,
    /** Address of an authorization request of an app. */
    authorizePath(app: string, parameters: Record<string, string> = {}) {
      const { clientId } = credentialsOf(applied, app)
      const request = { response_type: 'code', client_id: clientId, redirect_uri: callback }
      return `/oauth/authorize?${new URLSearchParams({ ...request, ...parameters })}`
    },
    signIn: (email: string) => signIn(server, { email, password }),
    stranger: () => openSession(server),
    deviceCode: (app: string): Promise<Record<'device_code' | 'user_code', string>> =>
      asApp(app, '/oauth/devicecode', {}),
    /** Sends a token request as an app; returns the tokens or the error. */
    token: (app: string, form: Record<string, string>): Promise<Record<string, string>> =>
      asApp(app, '/oauth/token', form),
  }
}
