import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { lastOperatorAct } from '../support/audit.ts'
import { operate, operateJson } from '../support/commands.ts'
import { refusal, startOAuthServer } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'

const server = await startOAuthServer()
const run = (...args: string[]) => operate(server.database, ...args)
const runJson = (...args: string[]) => operateJson(server.database, ...args)
const memberId = server.idOf('member@acme.test')
const scheduler = server.app('Scheduler')
const schedulerId = server.appId('Scheduler')

test('token revoke revokes the tokens of a user for one app or all apps, and notifies each public app', async () => {
  const twice = [await server.grantOf(scheduler), await server.grantOf(server.app('Legacy'))]
  await server.ctx.db.write((trx) =>
    trx.updateTable('apps').set({ deauthorization_url: 'http://127.0.0.1:9/' }).execute(),
  )
  const user = ['--user', 'member@acme.test']
  const done = await runJson('token', 'revoke', ...user, '--app', schedulerId, '--yes')
  expect(done).toMatchObject({ ended: { grants: expect.any(Number), sessions: 0 } })
  const [first, second] = await Promise.all(twice.map((each) => server.me(each.access_token)))
  expect(first?.body).toMatchObject({ code: 4741 })
  expect(second?.status).toBe(200)
  const sent = await server.ctx.db.read.selectFrom('webhook_events').selectAll().execute()
  expect(sent).toMatchObject([{ app_id: schedulerId }])
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
    event: 'app_deauthorized',
    payload: { user_id: memberId },
  })

  const session = await signIn(server, { email: 'member@acme.test', password })
  await runJson('token', 'revoke', '--user', memberId, '--yes')
  expect((await server.me(twice[1]?.access_token)).body).toMatchObject({ code: 4741 })
  expect(refusal(await server.refresh(server.app('Legacy'), twice[1]?.refresh_token))).toBe(
    '400 invalid_grant 4741',
  )
  expect((await session.get('/my/apps')).status).toBe(303)
  expect(await lastOperatorAct(server)).toMatchObject({ action: 'tokens.revoked', whom: memberId })
})

test("token revoke revokes an app's own tokens and those of its users, but nothing without --yes", async () => {
  const own = await server.ownTokenOf('Reporter', 'Acme')
  const { code, err } = await run('token', 'revoke', '--app', 'Reporter')
  expect({ code, err }).toEqual({
    code: 2,
    err: 'error: Revoke all access of Reporter? Add --yes to confirm.\n',
  })
  expect((await server.me(own)).status).toBe(200)
  const done = await runJson('token', 'revoke', '--app', 'Reporter', '--yes')
  expect(done).toMatchObject({ ended: { grants: 0, ownTokens: 1 } })
  expect((await server.me(own)).body).toMatchObject({ code: 4741 })
  await server.ownTokenOf('Reporter', 'Acme')
})
