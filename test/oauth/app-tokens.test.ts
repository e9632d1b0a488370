import { expect, test } from 'vitest'
import {
  accountToken,
  apiUrl,
  refusal,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'

const server = await startOAuthServer()
const reporter = server.app('Reporter')
const bot = server.app('Helper bot')
const acme = server.accountId('Acme')
const other = server.accountId('Other')
const ofAccount = (account_id: string) => accountToken(server, reporter, account_id)
const ofClient = { grant_type: 'client_credentials' }

test("an account token has the scopes of the app, no refresh token, and reads the owner's data", async () => {
  const answer = await ofAccount(acme)
  const { access_token } = tokensOf(answer)
  expect(answer.body).toEqual({
    access_token,
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'user:read:user:admin meeting:read:list_meetings:admin',
    api_url: apiUrl,
  })
  const id = server.idOf('owner@acme.test')
  expect((await server.me(access_token)).body).toMatchObject({ id, role_name: 'Owner' })
})

test('account tokens of an unknown account, another account and a sub-account get the same error', async () => {
  const west = server.accountId('Acme West')
  const answers = [await ofAccount(other), await ofAccount(west), await ofAccount('unknown')]
  for (const answer of answers) {
    expect(refusal(answer)).toBe('400 invalid_request 300')
    expect(answer.text).toBe(answers[0]?.text)
  }
  expect(refusal(await ofAccount('a\0b'))).toBe('400 invalid_request 300')
})

test('only server-to-server apps get an account token, and only chatbots a client token', async () => {
  const unauthorized = '400 unauthorized_client'
  for (const name of ['Scheduler', 'Directory', 'Helper bot']) {
    expect(refusal(await accountToken(server, server.app(name), acme))).toBe(unauthorized)
  }
  for (const name of ['Scheduler', 'Reporter', 'Legacy']) {
    expect(refusal(await server.token(server.app(name), ofClient))).toBe(unauthorized)
  }
  const pocket = { client_id: server.app('Pocket').clientId, ...ofClient }
  expect(refusal(await server.post('/oauth/token', pocket))).toBe(unauthorized)
})

test('a client token has only the scope imchat:bot and cannot read users', async () => {
  const answer = await server.token(bot, ofClient)
  const { access_token } = tokensOf(answer)
  expect(answer.body).toEqual({
    access_token,
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'imchat:bot',
    api_url: apiUrl,
  })
  expect((await server.me(access_token)).body.code).toBe(4711)
  const wider = await server.token(bot, { ...ofClient, scope: 'imchat:bot user:read:user' })
  expect(refusal(wider)).toBe('400 invalid_scope')
})
