import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import {
  type OAuthServer,
  refusal,
  startOAuthServer,
  startSecondNode,
  tokensOf,
} from '../support/oauth-server.ts'

const requestDevice = async (server: OAuthServer) => {
  const app = server.app('Scheduler')
  return (await server.post('/oauth/devicecode', { client_id: app.clientId }, { app })).body
}

describe.each(engines)('a restart on %s', async (engine) => {
  const before = await startOAuthServer({ engine })
  const app = before.app('Scheduler')
  const [used, fresh, expiring] = [
    await before.codeOf(app),
    await before.codeOf(app),
    await before.codeOf(app),
  ]
  const first = tokensOf(await before.exchange(app, used))
  const other = await before.grantOf(app)
  const renewed = tokensOf(await before.refresh(app, other.refresh_token))
  const allowed = await requestDevice(before)
  await before.decide(allowed.user_code)
  const { device_code: polled } = await requestDevice(before)
  await before.poll(app, polled)
  expect(refusal(await before.poll(app, polled))).toBe('400 slow_down')
  before.clock.advance(5000)
  await before.stop()
  const server = await startSecondNode(before)

  test('codes, device codes and tokens are valid once after a restart, as before', async () => {
    expect((await server.me(first.access_token)).status).toBe(200)
    tokensOf(await server.exchange(app, fresh))
    expect(refusal(await server.exchange(app, fresh))).toBe('400 invalid_grant 4734')
    expect(refusal(await server.exchange(app, used))).toBe('400 invalid_grant 4734')
    expect((await server.me(first.access_token)).body.code).toBe(4741)
    expect(refusal(await server.refresh(app, other.refresh_token))).toBe('400 invalid_grant 4735')
    tokensOf(await server.refresh(app, renewed.refresh_token))
    tokensOf(await server.poll(app, allowed.device_code))
    expect(refusal(await server.poll(app, allowed.device_code))).toBe('400 invalid_grant')
  })

  test('a restart keeps the interval that a device has earned by polling too early', async () => {
    server.clock.advance(1000)
    expect(refusal(await server.poll(app, polled))).toBe('400 slow_down')
  })

  test('a restart does not extend the life of a code', async () => {
    server.clock.advance(294_000)
    expect(refusal(await server.exchange(app, expiring))).toBe('400 invalid_grant 4733')
  })
})

describe('a changed wall clock', () => {
  test('a wall clock that is set back extends no life and makes nothing unusable', async () => {
    const server = await startOAuthServer()
    const app = server.app('Scheduler')
    const code = await server.codeOf(app)
    const { access_token, refresh_token } = await server.grantOf(app)
    const { device_code } = await requestDevice(server)
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

  test('a wall clock that is set an hour forward expires what an hour would, and no more', async () => {
    const server = await startOAuthServer()
    const app = server.app('Scheduler')
    const { access_token, refresh_token } = await server.grantOf(app)
    server.clock.setWall(server.clock.now() + 3_600_000)
    expect((await server.me(access_token)).body.code).toBe(124)
    const renewed = tokensOf(await server.refresh(app, refresh_token))
    server.clock.setWall(server.clock.now() - 3_600_000)
    expect((await server.me(renewed.access_token)).status).toBe(200)
  })
})
