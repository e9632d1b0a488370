import { createSkillpass, type DoubleOptions } from '@skillpass/server/testing'
import { generalApp, user } from '../support/apps.ts'
import { afterFile } from '../support/cleanup.ts'
import { exchange, serverAt, tokensOf } from '../support/oauth-client.ts'

export const member = 'member@acme.test'
export const owner = 'owner@acme.test'

export type TwoApps = Awaited<ReturnType<typeof startTwoApps>>

/** Starts a double with the apps Scheduler and Notes. It closes after the file's tests. */
export async function startTwoApps(
  scopes: readonly string[],
  scopesOfNotes = scopes,
  options: Omit<DoubleOptions, 'seed'> = {},
) {
  const seed = {
    accounts: [{ name: 'Acme', users: [user(owner, 'owner'), user(member, 'member')] }],
    apps: [generalApp('Scheduler', scopes), generalApp('Notes', scopesOfNotes)],
  }
  const sp = await createSkillpass({ ...options, seed })
  afterFile(sp.close)
  const appOf = (name: string) => {
    const app = sp.seeded.apps[name]
    if (!app) throw new Error(`The seed has no app ${name}.`)
    return app
  }
  return {
    sp,
    appOf,
    /** Allows an app as a user. Returns the code and the tokens. */
    async grant(app = 'Scheduler', email = member) {
      const { code = '' } = await sp.authorize({ app, user: email })
      return { ...tokensOf(await exchange(serverAt(sp.url), appOf(app), code)), code }
    },
  }
}
