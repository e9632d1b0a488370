import type { Applied } from '@skillpass/server/apply/apply'
import { callback, credentialsOf, declare, password, testAccounts } from './apps.ts'
import { openSession, type Session, signIn } from './people.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

/** A server with the accounts and apps of the tests, and functions to use its pages. */
export interface Pages {
  readonly server: TestServer
  readonly applied: Applied
  /** Address of an authorization request of an app. */
  authorizePath(app: string, parameters?: Record<string, string>): string
  signIn(email: string): Promise<Session>
  stranger(): Session
  /** Requests a device code as an app. */
  deviceCode(app: string): Promise<{ device_code: string; user_code: string }>
  /** Sends a token request as an app; returns the tokens or the error. */
  token(app: string, form: Record<string, string>): Promise<Record<string, string>>
}

export async function startPages(options: TestServerOptions = {}): Promise<Pages> {
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
    authorizePath(app, parameters = {}) {
      const { clientId } = credentialsOf(applied, app)
      const request = { response_type: 'code', client_id: clientId, redirect_uri: callback }
      return `/oauth/authorize?${new URLSearchParams({ ...request, ...parameters })}`
    },
    signIn: (email) => signIn(server, { email, password }),
    stranger: () => openSession(server),
    deviceCode: (app) => asApp(app, '/oauth/devicecode', {}),
    token: (app, form) => asApp(app, '/oauth/token', form),
  }
}

/** The Location of a redirect. */
export const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** The words of a page's main part. */
export async function wordsOf(response: Response): Promise<string> {
  const main = /<main.*<\/main>/s.exec(await response.text())?.[0] ?? ''
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.])/g, '$1')
    .trim()
}
