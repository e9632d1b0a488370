import type { Applied } from '@skillpass/server/testing'
import { password, userOf } from '../support/apps.ts'
import { approveDevice, authorizeCode, signIn } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/**
 * Returns a declared user, who signs in for every action, since the clock may advance between
 * actions.
 */
export function declaredUser(server: Pick<TestServer, 'http'>, applied: Applied, email: string) {
  const session = () => signIn(server, { email, password })
  return {
    id: userOf(applied, email).id,
    /** Opens an authorization URL and decides. Returns the URL of the redirect. */
    async consent(url: string, decision: 'allow' | 'deny' = 'allow') {
      const parameters = Object.fromEntries(new URL(url).searchParams)
      const browser = await session()
      return (await authorizeCode(browser, parameters, { decision })).location
    },
    async enterCode(userCode: string) {
      const decided = await approveDevice(await session(), userCode)
      if (decided !== 'allowed') throw new Error(`The device's page returned ${decided}.`)
    },
    async remove(appId: string) {
      const browser = await session()
      const html = await (await browser.get('/my/apps')).text()
      const { status } = await browser.submit(html, '/my/apps/remove', { app: appId })
      if (status !== 303) throw new Error(`Removing the app returned ${status}.`)
    },
  }
}
