import { password } from '../support/apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { approveDevice, authorizeCode, signIn } from '../support/people.ts'
import { freePort } from '../support/processes.ts'

/** Starts a server whose metadata has its real addresses, and a browser of a member of Acme. */
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
    /** Opens an authorization address, allows the app, and returns the callback address. */
    async allow(url: string | URL): Promise<URL> {
      const parameters = Object.fromEntries(new URL(url).searchParams)
      return new URL((await authorizeCode(browser, parameters)).location)
    },
    allowDevice: (userCode: string) => approveDevice(browser, userCode),
  }
}
