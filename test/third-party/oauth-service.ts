import { password } from '../support/apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { approveDevice, authorizeCode, signIn } from '../support/people.ts'
import { freePort } from '../support/processes.ts'

/** A server at the addresses of its metadata, for client libraries, and a browser of Acme's member. */
export async function startService(env: Record<string, string> = {}) {
  const port = String(await freePort())
  const authUrl = `http://127.0.0.1:${port}`
  const server = await startOAuthServer({
    env: { PORT: port, AUTH_URL: authUrl, API_URL: authUrl, ...env },
  })
  const browser = await signIn(server, { email: 'member@acme.test', password })
  return {
    ...server,
    authUrl,
    /** Opens a client's authorization address and allows; returns the address of the callback. */
    async allow(url: string | URL): Promise<URL> {
      const parameters = Object.fromEntries(new URL(url).searchParams)
      return new URL((await authorizeCode(browser, parameters)).location)
    },
    allowDevice: (userCode: string) => approveDevice(browser, userCode),
  }
}
