import { describe, expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { engines } from '../support/databases.ts'
import {
  type OAuthServer,
  oauthServerForTest,
  refusal,
  startSecondNode,
  tokensOf,
} from '../support/oauth-server.ts'

/** Ends the server and starts another on its database. */
async function restarted(before: OAuthServer): Promise<OAuthServer> {
  await before.stop()
  return startSecondNode(before)
}

const device = async (server: OAuthServer) => {
  const app = server.app('Scheduler')
  return (await server.post('/oauth/devicecode', { client_id: app.clientId }, { app })).body
}

describe.each(engines)('a restart on %s', (engine) => {
  test('keeps what was issued: a code, a device code and tokens are good once, as before', async () => {
    const before = await oauthServerForTest({ engine })
    const app = before.app('Scheduler')
    const [used, fresh] = [await before.codeOf(app), await before.codeOf(app)]
    const first = tokensOf(await before.exchange(app, used))
    const other = await before.grantOf(app)
    const renewed = tokensOf(await before.refresh(app, other.refresh_token))
    const waiting = await device(before)
    await before.decide(waiting.user_code)

    const server = await restarted(before)
    expect((await server.me(first.access_token)).status).toBe(200)
    tokensOf(await server.exchange(app, fresh))
    expect(refusal(await server.exchange(app, fresh))).toBe('400 invalid_grant 4734')
    expect(refusal(await server.exchange(app, used))).toBe('400 invalid_grant 4734')
    expect((await server.me(first.access_token)).body.code).toBe(4741)
    expect(refusal(await server.refresh(app, other.refresh_token))).toBe('400 invalid_grant 4735')
    tokensOf(await server.refresh(app, renewed.refresh_token))
    tokensOf(await server.poll(app, waiting.device_code))
    expect(refusal(await server.poll(app, waiting.device_code))).toBe('400 invalid_grant')
    await server.stop()
  })

  test('keeps the interval that a device has earned by polling too fast', async () => {
    const before = await oauthServerForTest({ engine })
    const app = before.app('Scheduler')
    const { device_code } = await device(before)
    await before.poll(app, device_code)
    expect(refusal(await before.poll(app, device_code))).toBe('400 slow_down')
    const server = await restarted(before)
    server.clock.advance(6000)
    expect(refusal(await server.poll(app, device_code))).toBe('400 slow_down')
    await server.stop()
  })

  test('between the making of a code and its end does not lengthen its life', async () => {
    const before = await oauthServerForTest({ engine })
    const app = before.app('Scheduler')
    const code = await before.codeOf(app)
    before.clock.advance(290_000)
    const server = await restarted(before)
    server.clock.advance(10_000)
    expect(refusal(await server.exchange(app, code))).toBe('400 invalid_grant 4733')
    await server.stop()
  })
})

describe.each(engines)('a wall clock that is set back on %s', (engine) => {
  test('lengthens no life, and makes nothing unusable', async () => {
    const server = await oauthServerForTest({ engine })
    const app = server.app('Scheduler')
    const code = await server.codeOf(app)
    const { access_token, refresh_token } = await server.grantOf(app)
    const { device_code } = await device(server)
    server.clock.setWall(server.clock.now() - 3_600_000)
    expect((await server.me(access_token)).status).toBe(200)
    tokensOf(await server.exchange(app, await server.codeOf(app)))
    server.clock.advance(301_000)
    expect(refusal(await server.exchange(app, code))).toBe('400 invalid_grant 4733')
    server.clock.advance(600_000)
    expect(refusal(await server.poll(app, device_code))).toBe('400 expired_token')
    server.clock.advance(2_700_000)
    expect((await server.me(access_token)).body.code).toBe(124)
    tokensOf(await server.refresh(app, refresh_token))
    server.clock.advance(60_001)
    expect(refusal(await server.refresh(app, refresh_token))).toBe('400 invalid_grant 4735')
  })

  test('set on by an hour ends what an hour would have ended, and no more', async () => {
    const clock = createTestClock()
    const server = await oauthServerForTest({ engine, clock })
    const app = server.app('Scheduler')
    const { access_token, refresh_token } = await server.grantOf(app)
    clock.setWall(clock.now() + 3_600_000)
    expect((await server.me(access_token)).body.code).toBe(124)
    const renewed = tokensOf(await server.refresh(app, refresh_token))
    clock.setWall(clock.now() - 3_600_000)
    expect((await server.me(renewed.access_token)).status).toBe(200)
  })
})
