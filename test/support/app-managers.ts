import { type Client, createClient } from '@skillpass/client'
import { accountOf, callback, credentialsOf, declare, password, userOf } from './apps.ts'
import { type Answer, type OAuthServer, startOAuthServer, tokensOf } from './oauth-server.ts'
import { callWith } from './platform.ts'
import type { TestServerOptions } from './server.ts'

/** Apps that manage apps: for users, for admins, and for accounts by themselves. */

const both = (suffix = '') => [`marketplace:read:app${suffix}`, `marketplace:write:app${suffix}`]

const general = {
  account: 'Acme',
  type: 'general',
  visibility: 'public',
  redirectUris: [callback],
} as const

const robot = (name: string, account: string, scopes: string[]) =>
  ({ name, account, type: 'server-to-server', scopes }) as const

const declaration = {
  accounts: [
    {
      name: 'Acme',
      users: [{ email: 'second@acme.test', password, role: 'member' as const }],
    },
    { name: 'Careful', approvedApps: ['Own manager', 'Admin manager'] },
    { name: 'Empty' },
  ],
  apps: [
    { ...general, name: 'Own manager', scopes: both() },
    { ...general, name: 'Admin manager', level: 'account', scopes: both(':admin') },
    {
      ...general,
      name: 'Master manager',
      level: 'account',
      scopes: [...both(':admin'), ...both(':master')],
    },
    robot('Own robot', 'Acme', both()),
    robot('Admin robot', 'Acme', both(':admin')),
    robot('Master robot', 'Acme', [...both(':admin'), ...both(':master')]),
    robot('Careful robot', 'Careful', both(':admin')),
    robot('Empty robot', 'Empty', both()),
    robot('Empty admin robot', 'Empty', both(':admin')),
  ],
} as const

/** Whose token a call bears. */
export type Who =
  | 'member'
  | 'second'
  | 'admin as a user'
  | 'admin'
  | 'owner'
  | 'owner with master scopes'
  | 'own robot'
  | 'admin robot'
  | 'master robot'
  | 'empty robot'
  | 'empty admin robot'
  | 'member of another account'
  | 'admin of another account'
  | 'robot of another account'

const users: Partial<Record<Who, [app: string, email: string]>> = {
  member: ['Own manager', 'member@acme.test'],
  second: ['Own manager', 'second@acme.test'],
  'admin as a user': ['Own manager', 'admin@acme.test'],
  admin: ['Admin manager', 'admin@acme.test'],
  owner: ['Admin manager', 'owner@acme.test'],
  'owner with master scopes': ['Master manager', 'owner@acme.test'],
  'member of another account': ['Own manager', 'member@careful.test'],
  'admin of another account': ['Admin manager', 'admin@careful.test'],
}

const robots: Partial<Record<Who, [app: string, account: string]>> = {
  'own robot': ['Own robot', 'Acme'],
  'admin robot': ['Admin robot', 'Acme'],
  'master robot': ['Master robot', 'Acme'],
  'empty robot': ['Empty robot', 'Empty'],
  'empty admin robot': ['Empty admin robot', 'Empty'],
  'robot of another account': ['Careful robot', 'Careful'],
}

/** The server with these apps, and how its tests call it. */
export interface AppManagers extends OAuthServer {
  tokenOf(who: Who): Promise<string>
  /** A token that a user has given one of the apps. */
  tokenFor(app: string, email: string): Promise<string>
  idOf(email: string): string
  call(who: Who, method: string, path: string, body?: unknown): Promise<Answer>
  platform(who: Who): Promise<Client['platform']>
  /** Registers an app with a name of its own; gives its answer. */
  register(who: Who, body?: object): Promise<Registered>
}

/** An app as its registration shows it. */
export type Registered = Awaited<ReturnType<Client['platform']['apps']['register']>>

export async function startAppManagers(options: TestServerOptions = {}): Promise<AppManagers> {
  const server = await startOAuthServer(options)
  const applied = await declare(server, declaration)
  const tokens = new Map<string, Promise<string>>()
  const tokenFor = async (app: string, email: string) =>
    (await server.grantOf(credentialsOf(applied, app), { email })).access_token
  const issue = async (who: Who) => {
    const [app, email] = users[who] ?? []
    if (app && email) return tokenFor(app, email)
    const [name = '', account = ''] = robots[who] ?? []
    const account_id = accountOf(applied, account).id
    const request = { grant_type: 'account_credentials', account_id }
    return tokensOf(await server.token(credentialsOf(applied, name), request)).access_token
  }
  const tokenOf = (who: Who) => {
    // Tokens live an hour, and tests let time pass.
    const key = `${who} ${Math.floor(server.clock.now() / 1_800_000)}`
    const known = tokens.get(key) ?? issue(who)
    tokens.set(key, known)
    return known
  }
  const platform = async (who: Who) =>
    createClient({ baseUrl: server.url, accessToken: await tokenOf(who), retries: 0 }).platform
  let apps = 0
  return {
    ...server,
    tokenOf,
    tokenFor,
    platform,
    idOf: (email) =>
      userOf({ ...applied, accounts: [...applied.accounts, ...server.applied.accounts] }, email).id,
    call: async (who, method, path, body) =>
      callWith(server, await tokenOf(who), `/v2/marketplace${path}`, { method, body }),
    register: async (who, body = {}) => {
      const name = `App ${String(++apps).padStart(3, '0')}`
      const whole = { name, type: 'general' as const, ...body }
      return (await platform(who)).apps.register({ body: whole })
    },
  }
}
