import type { Applied } from '@skillpass/server/apply/apply'
import {
  accountOf,
  appOf as appNamed,
  credentialsOf,
  declare,
  generalApp,
  password,
  userOf,
} from './apps.ts'
import type { Engine } from './databases.ts'
import { type Answer, type OAuthServer, startOAuthServer, tokensOf } from './oauth-server.ts'
import { type Call, callWith } from './platform.ts'
import { words } from './words.ts'

/** A group with a company below it, and apps that reach to every level. */

const acts = words(`
  read:user update:user read:token read:list_users write:user delete:user
`)
const scopesOf = (suffix: string) => acts.map((act) => `user:${act}${suffix}`)
const serverApp = (name: string, scopes: string[]) =>
  ({ name, account: 'Group', type: 'server-to-server', scopes }) as const

const person = (email: string, role: 'owner' | 'admin' | 'member') => {
  const [firstName = ''] = email.split('@')
  return { email, password, role, firstName, lastName: 'Person' }
}

const declaration = {
  accounts: [
    {
      name: 'Group',
      domains: ['group.test'],
      users: [
        person('owner@group.test', 'owner'),
        person('admin@group.test', 'admin'),
        person('member@group.test', 'member'),
        person('other@group.test', 'member'),
      ],
      subAccounts: [
        {
          name: 'Company',
          domains: ['company.test'],
          users: [person('owner@company.test', 'owner'), person('member@company.test', 'member')],
        },
      ],
    },
  ],
  apps: [
    generalApp('Own', ['user:read:user', 'user:update:user', 'user:read:token'], {
      account: 'Group',
    }),
    generalApp('Staff', scopesOf(':admin'), { account: 'Group', level: 'account' }),
    generalApp('Above', scopesOf(':master'), { account: 'Group', level: 'account' }),
    serverApp('Machine', scopesOf(':admin')),
    serverApp('Master machine', scopesOf(':master')),
  ],
} as const

/** The server with these accounts, and how its tests call it. */
export interface AccountUsers extends OAuthServer {
  /** What was made of them, with the credentials of the apps. */
  readonly group: Applied
  idOf(email: string): string
  accountId(name: string): string
  appId(name: string): string
  call(accessToken: string, path: string, call?: Call): Promise<Answer>
  /** An access token that a user has given an app; a new one each time. */
  tokenOf(app: 'Own' | 'Staff' | 'Above', email: string): Promise<string>
  /** An account token. */
  machineToken(app: 'Machine' | 'Master machine', account: string): Promise<string>
  /** A user of the group who is there for one test. */
  add(email: string, role?: 'admin' | 'member'): Promise<string>
}

export async function startAccountUsers(engine?: Engine): Promise<AccountUsers> {
  const server = await startOAuthServer(engine && { engine })
  const applied = await declare(server, declaration)
  const appOf = (name: string) => credentialsOf(applied, name)
  const all = { ...applied, accounts: [...applied.accounts, ...server.applied.accounts] }
  const accountId = (name: string) => accountOf(all, name).id
  return {
    ...server,
    group: applied,
    accountId,
    appId: (name) => appNamed(applied, name).id,
    idOf: (email) => userOf(all, email).id,
    call: (accessToken, path, call) => callWith(server, accessToken, path, call),
    tokenOf: async (app, email) => (await server.grantOf(appOf(app), { email })).access_token,
    machineToken: async (app, account) => {
      const request = { grant_type: 'account_credentials', account_id: accountId(account) }
      return tokensOf(await server.token(appOf(app), request)).access_token
    },
    add: async (email, role = 'member') => {
      const users = [person(email, role)]
      const added = await declare(server, { accounts: [{ name: 'Group', users }] })
      return userOf(added, email).id
    },
  }
}
