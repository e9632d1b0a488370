import { expect, test } from 'vitest'
import {
  type App,
  apiUrl,
  authUrl,
  refusal,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'

const server = await startOAuthServer()
const scheduler = server.app('Scheduler')
const stranger = server.app('Stranger')
const ownToken = () => server.ownTokenOf('Reporter', 'Acme')
const revoke = (app: App, text: string, more: Record<string, string> = {}) =>
  server.post('/oauth/revoke', { token: text, ...more }, { app })
const introspect = (app: App, text: string) =>
  server.post('/oauth/introspect', { token: text }, { app, place: 'form' })
const success = { status: 'success' }
const dead = async (accessToken: string) => {
  const { status, body } = await server.me(accessToken)
  expect([status, body.code]).toEqual([401, 4741])
}
const makers: Record<string, () => Promise<[App, string]>> = {
  'user authorization': async () => [scheduler, (await server.grantOf(scheduler)).access_token],
  'account authorization': async () => [server.app('Reporter'), await ownToken()],
  'client authorization': async () => [
    server.app('Helper bot'),
    await server.botTokenOf('Helper bot'),
  ],
}

test.each(Object.entries(makers))('a token of %s can be revoked repeatedly', async (_, make) => {
  const [app, text] = await make()
  expect((await revoke(app, text)).body).toEqual(success)
  await dead(text)
  expect((await introspect(app, text)).body).toEqual({ active: false })
  const again = await revoke(app, text)
  expect([again.status, again.body]).toEqual([200, success])
})

test('revoking either token of a pair ends the grant and both tokens', async () => {
  for (const which of ['access_token', 'refresh_token'] as const) {
    for (const token_type_hint of ['access_token', 'nonsense']) {
      const first = await server.grantOf(scheduler)
      const second = tokensOf(await server.refresh(scheduler, first.refresh_token))
      expect((await revoke(scheduler, second[which], { token_type_hint })).body).toEqual(success)
      await dead(first.access_token)
      await dead(second.access_token)
      const again = await server.refresh(scheduler, second.refresh_token)
      expect(refusal(again)).toBe('400 invalid_grant 4741')
    }
  }
})

test('revoking an unknown or malformed token or another kind of secret succeeds', async () => {
  const code = await server.codeOf(scheduler)
  const { access_token } = await server.grantOf(scheduler)
  const texts = ['x', '0'.repeat(5000), `${access_token}x`, access_token.toLowerCase(), code]
  for (const text of texts) {
    const answer = await revoke(scheduler, text)
    expect([answer.status, answer.body]).toEqual([200, success])
  }
  expect((await server.me(access_token)).status).toBe(200)
})

test('a token of another app cannot be revoked or introspected', async () => {
  const { access_token, refresh_token } = await server.grantOf(scheduler)
  const ofAccount = await ownToken()
  for (const app of [stranger, server.app('Scheduler', 'development')]) {
    for (const text of [access_token, refresh_token]) {
      expect(refusal(await revoke(app, text))).toBe('400 invalid_grant')
      expect((await introspect(app, text)).body).toEqual({ active: false })
    }
  }
  expect(refusal(await revoke(stranger, ofAccount))).toBe('400 invalid_grant')
  expect((await server.me(access_token)).status).toBe(200)
  expect((await server.me(ofAccount)).status).toBe(200)
  tokensOf(await server.refresh(scheduler, refresh_token))
})

test('a public client can revoke tokens with its id only, but cannot introspect them', async () => {
  const { clientId: client_id } = server.app('Pocket')
  const alone = { token: 'x', client_id }
  expect((await server.post('/oauth/revoke', alone)).body).toEqual(success)
  const asked = await server.post('/oauth/introspect', alone)
  expect(refusal(asked)).toBe('401 invalid_client 4706')
})

test('introspection of a valid token returns the fields of RFC 7662', async () => {
  const made = Math.floor(server.clock.now() / 1000)
  const tokens = await server.grantOf(scheduler)
  const common = {
    active: true,
    scope: tokens.scope,
    client_id: scheduler.clientId,
    iat: made,
    sub: server.idOf('member@acme.test'),
    account_id: server.accountId('Acme'),
    aud: apiUrl,
    iss: authUrl,
  }
  const access = await introspect(scheduler, tokens.access_token)
  expect(access.body).toMatchObject({ ...common, token_type: 'bearer' })
  expect(Number(access.body.exp) - made).toBeGreaterThanOrEqual(3600)
  expect(Number(access.body.exp) - made).toBeLessThanOrEqual(3601)
  const renewing = await introspect(scheduler, tokens.refresh_token)
  expect(renewing.body).toMatchObject({ ...common, token_type: 'refresh_token' })
  tokensOf(await server.refresh(scheduler, tokens.refresh_token))
  const used = await introspect(scheduler, tokens.refresh_token)
  expect(used.body).toEqual({ active: false })
  server.clock.advance(3_600_000)
  const late = await introspect(scheduler, tokens.access_token)
  expect(late.body).toEqual({ active: false })
  const { body } = await introspect(server.app('Reporter'), await ownToken())
  expect([body.active, 'sub' in body]).toEqual([true, false])
})
