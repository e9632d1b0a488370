import { describe, expect, test } from 'vitest'
import { accountOf, credentialsOf, declare, generalApp, password } from '../support/apps.ts'
import { type App, authorizeQuery, startOAuthServer, tokensOf } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { callWith } from '../support/platform.ts'

const user = (email: string, role: 'owner' | 'admin') => ({ email, password, role })

/** A master account with a sub-account, and apps with scopes of different levels. */
const franchise = {
  accounts: [
    {
      name: 'Chain',
      users: [user('owner@chain.test', 'owner'), user('admin@chain.test', 'admin')],
      subAccounts: [{ name: 'Branch', users: [user('owner@branch.test', 'owner')] }],
    },
  ],
  apps: [
    {
      name: 'Mixed',
      account: 'Chain',
      type: 'server-to-server',
      scopes: ['user:read:user:admin', 'meeting:read:list_meetings:master'],
    },
    generalApp('Board', ['user:read:user:admin'], {
      account: 'Chain',
      level: 'account',
      optionalScopes: ['user:read:user:master'],
    }),
  ],
} as const

describe('levels of scopes', async () => {
  const server = await startOAuthServer()
  const applied = await declare(server, franchise)
  const idOf = (email: string) =>
    applied.accounts.flatMap(({ users }) => users).find((one) => one.email === email)?.id ?? ''
  const branch = accountOf(applied, 'Branch').id
  const issue = (app: App, accountId = '') =>
    server.token(app, { grant_type: 'account_credentials', account_id: accountId })
  const statusOf = async (accessToken: string, userId: string) => {
    const { status, body } = await callWith(server, accessToken, `/v2/users/${userId}`)
    return status === 200 ? body.email : `${status} ${body.code}`
  }

  test('a token for a sub-account has the master scopes of the app and no admin scope', async () => {
    const { access_token, scope } = tokensOf(await issue(credentialsOf(applied, 'Mixed'), branch))
    expect(scope).toBe('meeting:read:list_meetings:master')
    expect(await statusOf(access_token, idOf('owner@branch.test'))).toBe('403 4711')
  })

  test('an optional scope is offered only to users whose role can grant it', async () => {
    const board = credentialsOf(applied, 'Board')
    const offered = async (email: string) => {
      const session = await signIn(server, { email, password })
      const page = await (await session.get(`/oauth/authorize?${authorizeQuery(board)}`)).text()
      expect(page).toContain('user:read:user:admin')
      return page.includes('user:read:user:master')
    }
    expect(await offered('owner@chain.test')).toBe(true)
    expect(await offered('admin@chain.test')).toBe(false)
  })
})
