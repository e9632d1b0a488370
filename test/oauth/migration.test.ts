import { describe, expect, test } from 'vitest'
import { declare } from '../support/apps.ts'
import { refusal, startOAuthServer, tokensOf } from '../support/oauth-server.ts'

const email = 'member@testAccounts.test'

describe('an app that goes from classic to granular scopes', async () => {
  const server = await startOAuthServer()
  const legacy = server.app('Legacy')
  const register = (scopes: string[]) =>
    declare(server, { apps: [{ name: 'Legacy', account: 'Acme', type: 'general', scopes }] })

  test('keeps the classic scopes of its users until they authorize again', async () => {
    const before = await server.grantOf(legacy, { email })
    expect(before.scope).toBe('user:read meeting:write')
    const code = await server.codeOf(legacy, { email })
    await register(['user:read:user', 'meeting:write:meeting'])

    const after = tokensOf(await server.refresh(legacy, before.refresh_token))
    expect(after.scope).toBe('user:read meeting:write')
    expect((await server.me(after.access_token)).status).toBe(200)
    expect(tokensOf(await server.exchange(legacy, code)).scope).toBe('user:read meeting:write')
    const again = await server.grantOf(legacy, { email, include_granted_scopes: '' })
    expect(again.scope).toBe('user:read:user meeting:write:meeting')
  })

  test('loses what it has registered nothing in place of: 4711', async () => {
    await register(['user:read', 'meeting:write'])
    const before = await server.grantOf(legacy, { email })
    await register(['user:read:user'])
    const answer = await server.refresh(legacy, before.refresh_token)
    expect(refusal(answer)).toBe('400 invalid_grant 4711')
  })
})
