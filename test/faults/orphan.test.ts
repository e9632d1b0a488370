import { deleteGrants } from '@skillpass/server/oauth/store/grants'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { oauthServerForTest, refusal } from '../support/oauth-server.ts'

describe.each(engines)('tokens without their grant on %s', (engine) => {
  test('tokens whose grant is gone open nothing', async () => {
    const server = await oauthServerForTest({ engine })
    const app = server.app('Scheduler')
    const { access_token: token, refresh_token } = await server.grantOf(app)
    expect((await server.me(token)).status).toBe(200)
    const grants = await server.ctx.db.read.selectFrom('grants').select('id').execute()
    const ids = grants.map(({ id }) => id)
    await server.ctx.db.write((trx) => deleteGrants(trx, ids))

    expect((await server.me(token)).body.code).toBe(4741)
    expect(refusal(await server.refresh(app, refresh_token))).toBe('400 invalid_grant 4735')
    const told = await server.post('/oauth/introspect', { token }, { app })
    expect(told.body).toEqual({ active: false })
    const revoked = await server.post('/oauth/revoke', { token }, { app })
    expect(revoked.body).toEqual({ status: 'success' })
  })
})
