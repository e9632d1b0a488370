import { describe, expect, test, vi } from 'vitest'
import { declare, generalApp, makeApp } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import {
  apiUrl,
  atOnce,
  refresh,
  refusal,
  startOAuthServer,
  startSecondNode,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { countFigure, roundsOf } from '../support/rounds.ts'

const outdated = '400 invalid_grant 4735'
const ended = '400 invalid_grant 4741'

const reused = countFigure('refresh tokens used again later: the grant ended within one request')

describe.each(engines)('refresh tokens on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const stranger = server.app('Stranger')
  const codeOfMe = async (accessToken: string) => (await server.me(accessToken)).body.code ?? 200

  test('a refresh returns a new pair, and the previous access token stays valid', async () => {
    const first = await server.grantOf(scheduler)
    const second = tokensOf(await server.refresh(scheduler, first.refresh_token))
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.access_token).not.toBe(first.access_token)
    expect(second.scope).toBe(first.scope)
    expect(await codeOfMe(first.access_token)).toBe(200)
    expect(await codeOfMe(second.access_token)).toBe(200)
    tokensOf(await server.refresh(scheduler, second.refresh_token))
  })

  test('a refresh token is valid for 90 days', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    server.clock.advance(89 * 86_400_000)
    const renewed = tokensOf(await server.refresh(scheduler, refresh_token))
    server.clock.advance(90 * 86_400_000)
    expect(refusal(await server.refresh(scheduler, renewed.refresh_token))).toBe(outdated)
  })

  test('a refresh token reused within 60 seconds is refused, and its grant stays active', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    const second = tokensOf(await server.refresh(scheduler, refresh_token))
    server.clock.advance(60_000)
    expect(refusal(await server.refresh(scheduler, refresh_token))).toBe(outdated)
    expect(await codeOfMe(second.access_token)).toBe(200)
    tokensOf(await server.refresh(scheduler, second.refresh_token))
  })

  test('a refresh token reused after 60 seconds ends its grant with all tokens', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    const second = tokensOf(await server.refresh(scheduler, refresh_token))
    const third = tokensOf(await server.refresh(scheduler, second.refresh_token))
    server.clock.advance(60_001)
    const warned = vi.spyOn(server.ctx.log, 'warn')
    // Even if the request has other errors: more scopes than the grant, and another resource.
    const wider = { scope: 'user:read:user:admin', resource: `${apiUrl}/v2/mcp` }
    expect(refusal(await server.refresh(scheduler, refresh_token, wider))).toBe(outdated)
    expect(warned.mock.calls).toEqual([[{ grant: expect.any(String) }, expect.any(String)]])
    warned.mockRestore()
    expect(await codeOfMe(second.access_token)).toBe(4741)
    expect(await codeOfMe(third.access_token)).toBe(4741)
    expect(refusal(await server.refresh(scheduler, third.refresh_token))).toBe(ended)
    expect(refusal(await server.refresh(scheduler, refresh_token))).toBe(ended)
    reused()
  })

  test('only one of 50 concurrent uses of a refresh token succeeds, and its grant stays active', async () => {
    const node = await startSecondNode(server)
    for (let round = 0; round < roundsOf(1); round++) {
      const { refresh_token } = await server.grantOf(scheduler)
      const send = (i: number) => (i % 2 ? node : server).refresh(scheduler, refresh_token)
      const answers = await atOnce(50, send)
      expect(tally(answers.map(refusal))).toEqual({ '200 none': 1, [outdated]: 49 })
      const [pair] = answers.filter(({ status }) => status === 200).map(tokensOf)
      expect(await codeOfMe(pair?.access_token ?? '')).toBe(200)
      tokensOf(await server.refresh(scheduler, pair?.refresh_token))
    }
  })

  test('a refresh token is refused for another app, and no other kind of secret is accepted', async () => {
    const { access_token, refresh_token } = await server.grantOf(scheduler)
    const foreign = await server.refresh(stranger, refresh_token)
    expect(refusal(foreign)).toBe(outdated)
    expect(foreign.text).toBe((await server.refresh(stranger, `${refresh_token}x`)).text)
    const development = server.app('Scheduler', 'development')
    expect(refusal(await server.refresh(development, refresh_token))).toBe(outdated)
    const code = await server.codeOf(scheduler)
    const { apiKey } = await server.agent()
    for (const other of [access_token, code, apiKey, scheduler.clientSecret, 'x', '0'.repeat(64)]) {
      expect(refusal(await server.refresh(scheduler, other))).toBe(outdated)
    }
    expect(refusal(await server.poll(scheduler, refresh_token))).toBe('400 invalid_grant')
    expect(refusal(await server.exchange(scheduler, refresh_token))).toBe('400 invalid_grant 4734')
    const call = await server.me(refresh_token)
    expect([call.status, call.body.code]).toEqual([401, 4700])
    expect(await codeOfMe(access_token)).toBe(200)
    tokensOf(await server.refresh(scheduler, refresh_token))
  })

  test("a refresh can request fewer scopes, then all of the grant's again, but never more", async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    const wider = [
      'meeting:write:meeting',
      'user:read:user:admin',
      'user:read:user imchat:bot',
      'nothing',
    ]
    for (const scope of wider) {
      const answer = await server.refresh(scheduler, refresh_token, { scope })
      expect(refusal(answer)).toBe('400 invalid_scope')
    }
    const scope = 'meeting:read:list_meetings'
    const narrow = tokensOf(await server.refresh(scheduler, refresh_token, { scope }))
    expect(narrow.scope).toBe(scope)
    expect(await codeOfMe(narrow.access_token)).toBe(4711)
    const whole = tokensOf(await server.refresh(scheduler, narrow.refresh_token))
    expect(whole.scope).toBe(`user:read:user ${scope}`)
    expect(await codeOfMe(whole.access_token)).toBe(200)
  })

  test('a refresh is refused while the app has lost a scope of the grant', async () => {
    const both = ['user:read:user', 'meeting:read:list_meetings']
    const shrinking = await makeApp(server, 'Shrinking', both)
    const { refresh_token, access_token } = await server.grantOf(shrinking)
    await declare(server, { apps: [generalApp('Shrinking', ['user:read:user'])] })
    expect(refusal(await server.refresh(shrinking, refresh_token))).toBe('400 invalid_grant 4711')
    const narrow = { scope: 'user:read:user' }
    expect(refusal(await server.refresh(shrinking, refresh_token, narrow))).toBe(
      '400 invalid_grant 4711',
    )
    expect(await codeOfMe(access_token)).toBe(200)
    await declare(server, { apps: [generalApp('Shrinking', both)] })
    tokensOf(await server.refresh(shrinking, refresh_token))
  })
})

describe.each(engines)('refresh tokens with a grace period on %s', async (engine) => {
  const env = { REFRESH_GRACE_SECONDS: '30' }
  const server = await startOAuthServer({ engine, env })
  const app = server.app('Scheduler')

  test('all requests within REFRESH_GRACE_SECONDS get the same pair, on every server', async () => {
    const { refresh_token } = await server.grantOf(app)
    const secondNode = await startSecondNode(server, env)
    const send = (i: number) => refresh(i % 2 ? secondNode : server, app, refresh_token)
    const answers = await atOnce(50, send)
    expect(tally(answers.map(({ text }) => text))).toEqual({ [answers[0]?.text ?? '']: 50 })
    const pair = tokensOf(answers[0] ?? (await server.refresh(app, refresh_token)))
    server.clock.advance(30_000)
    const late = await server.refresh(app, refresh_token)
    expect(tokensOf(late)).toEqual(pair)
    expect(late.body.expires_in).toBe(3570)
    server.clock.advance(1000)
    expect(refusal(await server.refresh(app, refresh_token))).toBe(outdated)
    expect((await server.me(pair.access_token)).status).toBe(200)
    tokensOf(await server.refresh(app, pair.refresh_token))
  })
})
