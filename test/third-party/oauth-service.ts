import { createSkillpass, type Seed } from '@skillpass/server/testing'
import { testAccounts } from '../support/apps.ts'
import { afterFile } from '../support/cleanup.ts'
import { me, member, serverAt } from '../support/oauth-client.ts'

/** Starts a double with the test accounts and apps. */
export async function startService(env: Record<string, string> = {}) {
  const sp = await createSkillpass({ seed: testAccounts satisfies Seed, env })
  afterFile(sp.close)
  return {
    url: sp.url,
    app(name: string) {
      const app = sp.seeded.apps[name]
      if (!app) throw new Error(`${name} is not seeded.`)
      return app
    },
    accountId: sp.seeded.accounts.Acme?.id ?? '',
    me: (accessToken: unknown) => me(serverAt(sp.url), accessToken),
    /** Opens an authorization address, allows the app, and returns the callback address. */
    allow: async (url: string | URL) =>
      new URL((await sp.visit(url, member, { ticked: [] })).location),
    allowDevice: (userCode: string) => sp.approveDevice(userCode, member),
  }
}
