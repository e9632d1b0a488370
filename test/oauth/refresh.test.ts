import { describe, expect, test, vi } from 'vitest'
import { declare, generalApp, makeApp } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import {
  atOnce,
  oauthServerForTest,
  refresh,
  refusal,
  startOAuthServer,
  startSecondNode,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { countFigure, reportFigure } from '../support/rounds.ts'

const outdated = '400 invalid_grant 4735'
const ended = '400 invalid_grant 4741'

const reused = countFigure('refresh tokens used again later: the grant ended within one request')

describe.each(engines)('refresh tokens on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const stranger = server.app('Stranger')
  const codeOfMe = async (accessToken: string) => (await server.me(accessToken)).body.code ?? 200

  test('give a new pair; the access token before stays good until it expires', async () => {
    const first = await server.grantOf(scheduler)
    const second = tokensOf(await server.refresh(scheduler, first.refresh_token))
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.access_token).not.toBe(first.access_token)
    expect(second.scope).toBe(first.scope)
    expect(await codeOfMe(first.access_token)).toBe(200)
    expect(await codeOfMe(second.access_token)).toBe(200)
    tokensOf(await server.refresh(scheduler, second.refresh_token))
  })

  test('live for 90 days from their making', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    server.clock.advance(89 * 86_400_000)
    const renewed = tokensOf(await server.refresh(scheduler, refresh_token))
    server.clock.advance(90 * 86_400_000)
    expect(refusal(await server.refresh(scheduler, renewed.refresh_token))).toBe(outdated)
  })

  test('used again within 60 seconds are refused, and the grant lives on: workers race', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    const second = tokensOf(await server.refresh(scheduler, refresh_token))
    server.clock.advance(60_000)
    expect(refusal(await server.refresh(scheduler, refresh_token))).toBe(outdated)
    expect(await codeOfMe(second.access_token)).toBe(200)
    tokensOf(await server.refresh(scheduler, second.refresh_token))
  })

  test('used again later end the grant with all its tokens, since one may be stolen', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    const second = tokensOf(await server.refresh(scheduler, refresh_token))
    const third = tokensOf(await server.refresh(scheduler, second.refresh_token))
    server.clock.advance(60_001)
    const warned = vi.spyOn(server.ctx.log, 'warn')
    expect(refusal(await server.refresh(scheduler, refresh_token))).toBe(outdated)
    expect(warned.mock.calls).toEqual([[{ grant: expect.any(String) }, expect.any(String)]])
    warned.mockRestore()
    expect(await codeOfMe(second.access_token)).toBe(4741)
    expect(await codeOfMe(third.access_token)).toBe(4741)
    expect(refusal(await server.refresh(scheduler, third.refresh_token))).toBe(ended)
    expect(refusal(await server.refresh(scheduler, refresh_token))).toBe(ended)
    reused()
  })

  test('used again later with a scope too wide end the grant all the same', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    const second = tokensOf(await server.refresh(scheduler, refresh_token))
    server.clock.advance(60_001)
    const more = { scope: 'user:read:user:admin' }
    expect((await server.refresh(scheduler, refresh_token, more)).status).toBe(400)
    expect(await codeOfMe(second.access_token)).toBe(4741)
    reused()
  })

  test('used 50 times at once give one pair, and the grant lives on', async () => {
    const { refresh_token } = await server.grantOf(scheduler)
    const answers = await atOnce(50, () => server.refresh(scheduler, refresh_token))
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    expect(tally(answers.map(refusal))).toEqual({ '200 none': 1, [outdated]: 49 })
    const [pair] = good.map(tokensOf)
    expect(await codeOfMe(pair?.access_token ?? '')).toBe(200)
    tokensOf(await server.refresh(scheduler, pair?.refresh_token))
  })

  test('are single-use 100 times of 100, at two servers on one database', async () => {
    const twin = await startSecondNode(server)
    let { refresh_token: latest } = await server.grantOf(scheduler)
    for (let round = 0; round < 100; round++) {
      const answers = await atOnce(4, (i) => refresh(i % 2 ? twin : server, scheduler, latest))
      expect(tally(answers.map(refusal))).toEqual({ '200 none': 1, [outdated]: 3 })
      const [good] = answers.filter(({ status }) => status === 200)
      latest = String(good?.body.refresh_token)
    }
    await twin.stop()
    reportFigure(`refresh token on ${engine}, at two servers: exactly one winner 100 of 100 times`)
  })

  test('are good for their own app alone, and no other kind of secret is taken for one', async () => {
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

  test('may ask for fewer scopes, and later for all of the grant again, but never for more', async () => {
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

  test('of a grant whose scopes the app has lost are refused, until it has them again', async () => {
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

  test('with REFRESH_GRACE_SECONDS give all who come at once the same pair', async () => {
    const graceful = await oauthServerForTest({ engine, env: { REFRESH_GRACE_SECONDS: '30' } })
    const app = graceful.app('Scheduler')
    const { refresh_token } = await graceful.grantOf(app)
    const twin = await startSecondNode(graceful, { REFRESH_GRACE_SECONDS: '30' })
    const answers = await atOnce(50, (i) => refresh(i % 2 ? twin : graceful, app, refresh_token))
    expect(tally(answers.map(({ text }) => text))).toEqual({ [answers[0]?.text ?? '']: 50 })
    const pair = tokensOf(answers[0] ?? (await graceful.refresh(app, refresh_token)))
    graceful.clock.advance(30_000)
    const late = await graceful.refresh(app, refresh_token)
    expect(tokensOf(late)).toEqual(pair)
    expect(late.body.expires_in).toBe(3570)
    graceful.clock.advance(1000)
    expect(refusal(await graceful.refresh(app, refresh_token))).toBe(outdated)
    expect((await graceful.me(pair.access_token)).status).toBe(200)
    tokensOf(await graceful.refresh(app, pair.refresh_token))
    await twin.stop()
  })

  test('with REFRESH_GRACE_SECONDS tell the scopes that the repeated token has', async () => {
    const graceful = await oauthServerForTest({ engine, env: { REFRESH_GRACE_SECONDS: '30' } })
    const app = graceful.app('Scheduler')
    const { refresh_token } = await graceful.grantOf(app)
    const scope = 'meeting:read:list_meetings'
    const narrow = tokensOf(await graceful.refresh(app, refresh_token, { scope }))
    expect(tokensOf(await graceful.refresh(app, refresh_token))).toEqual(narrow)
  })
})
