import { type Client, createClient } from '@skillpass/client'
import { generalApp, password, serverApp } from './apps.ts'
import { startOAuthServer } from './oauth-server.ts'
import type { TestServerOptions } from './server.ts'

/** Apps that may manage apps: with user scopes, with admin scopes, and server-to-server. */

const both = (suffix = '') => [`marketplace:read:app${suffix}`, `marketplace:write:app${suffix}`]

const declaration = {
  accounts: [
    { name: 'Acme', users: [{ email: 'second@acme.test', password, role: 'member' as const }] },
    { name: 'Careful', approvedApps: ['Own manager', 'Admin manager'] },
    { name: 'Empty' },
  ],
  apps: [
    generalApp('Own manager', both()),
    generalApp('Admin manager', both(':admin'), { level: 'account' }),
    generalApp('Master manager', [...both(':admin'), ...both(':master')], { level: 'account' }),
    serverApp('Own robot', both()),
    serverApp('Admin robot', both(':admin')),
    serverApp('Master robot', [...both(':admin'), ...both(':master')]),
    serverApp('Careful robot', both(':admin'), 'Careful'),
    serverApp('Empty robot', both(), 'Empty'),
    serverApp('Empty admin robot', both(':admin'), 'Empty'),
  ],
} as const

/** Callers: the app, and the email of the user who has allowed it. */
const callers = {
  member: ['Own manager', 'member@acme.test'],
  second: ['Own manager', 'second@acme.test'],
  'admin as a user': ['Own manager', 'admin@acme.test'],
  admin: ['Admin manager', 'admin@acme.test'],
  owner: ['Admin manager', 'owner@acme.test'],
  'owner with master scopes': ['Master manager', 'owner@acme.test'],
  'member of another account': ['Own manager', 'member@careful.test'],
  'admin of another account': ['Admin manager', 'admin@careful.test'],
  'own robot': ['Own robot'],
  'admin robot': ['Admin robot'],
  'master robot': ['Master robot'],
  'empty robot': ['Empty robot'],
  'empty admin robot': ['Empty admin robot'],
  'robot of another account': ['Careful robot'],
} satisfies Record<string, [app: string, email?: string]>

/** The caller whose token a request carries. */
export type Who = keyof typeof callers

/** A server with these apps, and functions to call it as their users. */
export async function startAppManagers(options: TestServerOptions = {}) {
  const server = await startOAuthServer(options, declaration)
  const issued = new Map<string, Promise<string>>()
  const issue = async (who: Who) => {
    const [app, user]: [app: string, email?: string] = callers[who]
    const { tokens } = await server.seed({ tokens: [{ app, user, name: who }] })
    return tokens[who]?.accessToken ?? ''
  }
  const tokenOf = (who: Who) => {
    // Tokens expire after an hour, and tests advance the clock.
    const key = `${who} ${Math.floor(server.clock.now() / 1_800_000)}`
    const known = issued.get(key) ?? issue(who)
    issued.set(key, known)
    return known
  }
  const platform = async (who: Who): Promise<Client['platform']> =>
    createClient({ baseUrl: server.url, accessToken: await tokenOf(who), retries: 0 }).platform
  let apps = 0
  return {
    ...server,
    tokenOf,
    /** An access token of a user for one of the apps. */
    tokenFor: server.tokenOf,
    platform,
    call: async (who: Who, method: string, path: string, body?: unknown) =>
      server.callWith(await tokenOf(who), `/v2/marketplace${path}`, { method, body }),
    /** Registers an app with a unique name. */
    register: async (who: Who, body: object = {}) => {
      const name = `App ${String(++apps).padStart(3, '0')}`
      const whole = { name, type: 'general' as const, ...body }
      return (await platform(who)).apps.register({ body: whole })
    },
  }
}
