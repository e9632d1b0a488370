import { expect, test } from 'vitest'
import { oauthServerForTest, refusal, tokensOf } from '../support/oauth-server.ts'

test('setting the wall clock back extends no lifetime and makes nothing unusable', async () => {
  const server = await oauthServerForTest()
  const app = server.app('Scheduler')
  const code = await server.codeOf(app)
  const { access_token, refresh_token } = await server.grantOf(app)
  const asked = await server.deviceCodeOf(app)
  server.clock.setWall(server.clock.now() - 3_600_000)
  expect((await server.me(access_token)).status).toBe(200)
  tokensOf(await server.exchange(app, await server.codeOf(app)))
  server.clock.advance(301_000)
  expect(refusal(await server.exchange(app, code))).toBe('400 invalid_grant 4733')
  server.clock.advance(600_000)
  expect(refusal(await server.poll(app, asked.body.device_code))).toBe('400 expired_token')
  server.clock.advance(2_700_000)
  expect((await server.me(access_token)).body.code).toBe(124)
  tokensOf(await server.refresh(app, refresh_token))
})

test('setting the wall clock an hour forward expires no more than an hour would', async () => {
  const server = await oauthServerForTest()
  const app = server.app('Scheduler')
  const { access_token, refresh_token } = await server.grantOf(app)
  server.clock.setWall(server.clock.now() + 3_600_000)
  expect((await server.me(access_token)).body.code).toBe(124)
  const renewed = tokensOf(await server.refresh(app, refresh_token))
  server.clock.setWall(server.clock.now() - 3_600_000)
  expect((await server.me(renewed.access_token)).status).toBe(200)
})
