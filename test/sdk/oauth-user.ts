import type { Applied } from '@skillpass/server/testing'
import { userOf } from '../support/apps.ts'
import type { TestServer } from '../support/server.ts'

/** Returns a declared user who decides about apps. */
export const declaredUser = (server: TestServer, applied: Applied, email: string) => ({
  id: userOf(applied, email).id,
  /** Opens an authorization URL and decides. Returns the URL of the redirect. */
  async consent(url: string, decision: 'allow' | 'deny' = 'allow') {
    const choice = { allow: decision === 'allow', ticked: [] }
    return (await server.visit(url, email, choice)).location
  },
  enterCode: (userCode: string) => server.approveDevice(userCode, email),
  remove: (appId: string) => server.removeApp(appId, email),
})
