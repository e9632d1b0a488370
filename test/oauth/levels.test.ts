import { describe, expect, test } from 'vitest'
import { accountOf, credentialsOf, declare, generalApp, password } from '../support/apps.ts'
import { type App, asking, refusal, startOAuthServer, tokensOf } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { callWith } from '../support/platform.ts'

const user = (email: string, role: 'owner' | 'admin') => ({ email, password, role })

/** A master account with one below it, and apps whose scopes reach to different levels. */
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
    {
      name: 'Overseer',
      account: 'Chain',
      type: 'server-to-server',
      scopes: ['user:read:user:master'],
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
  const [chain, branch] = ['Chain', 'Branch'].map((name) => accountOf(applied, name).id)
  const issue = (app: App, accountId = '') =>
    server.token(app, { grant_type: 'account_credentials', account_id: accountId })
  const statusOf = async (accessToken: string, userId: string) => {
    const { status, body } = await callWith(server, accessToken, `/v2/users/${userId}`)
    return status === 200 ? body.email : `${status} ${body.code}`
  }

  test('over a sub-account an app has its master scopes, and no admin scope comes along', async () => {
    const { access_token, scope } = tokensOf(await issue(credentialsOf(applied, 'Mixed'), branch))
    expect(scope).toBe('meeting:read:list_meetings:master')
    expect(await statusOf(access_token, idOf('owner@branch.test'))).toBe('403 4711')
  })

  test('a master scope opens the users of the sub-account, from above and with a token of its own', async () => {
    const overseer = credentialsOf(applied, 'Overseer')
    for (const account of [chain, branch]) {
      const { access_token } = tokensOf(await issue(overseer, account))
      const found = await statusOf(access_token, idOf('owner@branch.test'))
      expect(found).toBe('owner@branch.test')
    }
    const { access_token } = tokensOf(await issue(overseer, chain))
    expect(await statusOf(access_token, idOf('owner@chain.test'))).toBe('404 1001')
  })

  test('without a master scope there is no token for a sub-account', async () => {
    const { app } = server
    const west = accountOf(server.applied, 'Acme West').id
    expect(refusal(await issue(app('Reporter'), west))).toBe('400 invalid_request 300')
  })

  test('an optional scope is offered to those alone whose role can give it', async () => {
    const board = credentialsOf(applied, 'Board')
    const offered = async (email: string) => {
      const session = await signIn(server, { email, password })
      const page = await (await session.get(`/oauth/authorize?${asking(board)}`)).text()
      expect(page).toContain('user:read:user:admin')
      return page.includes('user:read:user:master')
    }
    expect(await offered('owner@chain.test')).toBe(true)
    expect(await offered('admin@chain.test')).toBe(false)
  })

  test('who is no admin any more reaches no other user, whatever the token says', async () => {
    const email = 'former@chain.test'
    const made = await declare(server, {
      accounts: [{ name: 'Chain', users: [{ email, password, role: 'admin' }] }],
    })
    const { access_token } = await server.grantOf(credentialsOf(applied, 'Board'), { email })
    const owner = idOf('owner@chain.test')
    expect(await statusOf(access_token, owner)).toBe('owner@chain.test')
    await declare(server, { accounts: [{ name: 'Chain', users: [{ email, role: 'member' }] }] })
    expect(await statusOf(access_token, owner)).toBe('403 4711')
    const own = made.accounts[0]?.users[0]?.id ?? ''
    expect(await statusOf(access_token, own)).toBe(email)
  })
})
