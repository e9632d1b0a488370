import { generalApp, serverApp, user } from './apps.ts'
import type { Engine } from './databases.ts'
import { startOAuthServer } from './oauth-server.ts'
import { words } from './words.ts'

/** A master account with a sub-account, and apps at user, admin and master level. */

const acts = words(`
  read:user update:user read:token read:list_users write:user delete:user
`)
const scopesOf = (suffix: string) => acts.map((act) => `user:${act}${suffix}`)

const declaration = {
  accounts: [
    {
      name: 'Group',
      domains: ['group.test'],
      users: [
        user('owner@group.test', 'owner'),
        user('admin@group.test', 'admin'),
        user('member@group.test', 'member'),
        user('other@group.test', 'member'),
      ],
      subAccounts: [
        {
          name: 'Company',
          domains: ['company.test'],
          users: [user('owner@company.test', 'owner'), user('member@company.test', 'member')],
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
    serverApp('Machine', scopesOf(':admin'), 'Group'),
    serverApp('Master machine', scopesOf(':master'), 'Group'),
  ],
} as const

/** Starts a server with these accounts and apps. */
export const startAccountUsers = (engine?: Engine) =>
  startOAuthServer(engine && { engine }, declaration)
