import { expect, test } from 'vitest'
import { appOf, declare, generalApp, password, userOf } from '../support/apps.ts'
import { entriesOf } from '../support/audit.ts'
import { operate, operateJson } from '../support/commands.ts'
import { refusal, startOAuthServer, tokensOf } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'

const reason = ['--reason', 'A test asked for it.']

const server = await startOAuthServer()
const { applied, database } = server
const run = (...args: string[]) => operate(database, ...args)
const runJson = (...args: string[]) => operateJson(database, ...args)
const member = userOf(applied, 'member@acme.test')
const scheduler = server.app('Scheduler')
const schedulerId = server.appId('Scheduler')
/** Returns the webhook events that are not in `before`. */
const events = async (before: readonly { id: string }[] = []) => {
  const known = new Set(before.map(({ id }) => id))
  const all = server.ctx.db.read.selectFrom('webhook_events').select(['id', 'app_id', 'body'])
  return (await all.execute()).filter(({ id }) => !known.has(id))
}
const lastAct = async () => (await entriesOf(server)).find(({ whoKind }) => whoKind === 'operator')

test('app list and user list return each item once over all pages, and print a message for an empty list', async () => {
  for (const [name, all] of [
    ['app', applied.apps.map(({ id }) => id)],
    ['user', applied.accounts.flatMap(({ users }) => users.map(({ id }) => id))],
  ] as const) {
    const ids: string[] = []
    let after = ''
    for (;;) {
      const page = await runJson(name, 'list', '--limit', '7', '--after', after)
      const items = page[`${name}s`] as { id: string }[]
      ids.push(...items.map(({ id }) => id))
      if (typeof page.next !== 'string') break
      after = page.next
    }
    expect(ids).toEqual([...all].sort())
  }
  const { out } = await run('user', 'list', '--disabled')
  expect(out).toBe('No users.\n')
})

test('app show finds an app by client id or name, and suggests the closest name for an unknown one', async () => {
  for (const name of [scheduler.clientId, 'scheduler']) {
    const shown = await runJson('app', 'show', name)
    expect(shown).toMatchObject({ id: schedulerId, name: 'Scheduler', accountName: 'Acme' })
  }
  const { code, out, err } = await run('app', 'show', 'Schedluer', '--json')
  const message = 'There is no app Schedluer. Did you mean Scheduler?'
  expect([code, out]).toEqual([1, ''])
  expect(JSON.parse(err).error).toEqual({ code: 'failed', message })
  await declare(server, { apps: [generalApp('Scheduler', [], { account: 'Other' })] })
  const { err: ambiguous } = await run('app', 'show', 'Scheduler')
  expect(ambiguous).toMatch(/^Several apps are named Scheduler\. Specify one by its id: /)
})

test('user add creates the owner of a new account, who can sign in with the printed password', async () => {
  const add = ['user', 'add', 'ada@initech.test', '--account', 'Initech', '--role', 'owner']
  const mistyped = await run(...add.with(4, 'Acm'))
  expect([mistyped.code, mistyped.err]).toEqual([
    2,
    'error: There is no account Acm. Did you mean Acme or Acme West? Create it? Add --create-account to confirm.\n',
  ])
  const { email, role, accountName, password: printed } = await runJson(...add, '--create-account')
  expect([email, role, accountName]).toEqual(['ada@initech.test', 'owner', 'Initech'])
  await signIn(server, { email: 'ada@initech.test', password: String(printed) })
  const again = await run(...add)
  expect(again.code).toBe(1)
  expect(again.err).toContain('ada@initech.test is already a user of Initech.')
  const second = await run('user', 'add', 'eve@initech.test', ...add.slice(3))
  expect(second.err).toBe('role: the account already has the owner ada@initech.test\n')
  const other = await run('user', 'add', 'bob', '--account', 'Initech')
  expect(other.err).toMatch(/^email: /)
})

test("app disable rejects an app's tokens from the next request until the operator enables the app", async () => {
  const strict = server.app('Strict')
  const id = server.appId('Strict')
  const legacy = server.app('Legacy')
  const tokens = await server.grantOf(legacy)
  expect((await server.me(tokens.access_token)).status).toBe(200)
  await runJson('app', 'disable', legacy.clientId, ...reason)
  expect((await server.me(tokens.access_token)).body).toMatchObject({ code: 4717 })
  expect(await lastAct()).toMatchObject({
    action: 'app.disabled',
    accountId: server.accountId('Acme'),
    note: 'A test asked for it.',
  })
  expect((await run('app', 'disable', legacy.clientId, ...reason)).err).toBe(
    'Legacy is already disabled.\n',
  )
  await runJson('app', 'enable', legacy.clientId, ...reason)
  expect((await server.me(tokens.access_token)).status).toBe(200)
  // An app that its developer disabled is now disabled by the operator.
  await server.ctx.db.write((trx) =>
    trx
      .updateTable('apps')
      .set({ disabled_at: 1, disabled_by: member.id })
      .where('id', '=', id)
      .execute(),
  )
  await runJson('app', 'disable', strict.clientId, ...reason)
  const row = server.ctx.db.read.selectFrom('apps').select('disabled_by').where('id', '=', id)
  expect(await row.executeTakeFirst()).toEqual({ disabled_by: null })
})

test('user disable ends sessions, blocks sign-in and rejects tokens with 4735 until user enable', async () => {
  const session = await signIn(server, { email: 'admin@acme.test', password })
  const tokens = await server.grantOf(scheduler, { email: 'admin@acme.test' })
  const code = await server.codeOf(scheduler, { email: 'admin@acme.test' })
  await runJson('user', 'disable', 'ADMIN@acme.test', ...reason)

  expect((await server.me(tokens.access_token)).body).toMatchObject({ code: 4735 })
  expect(refusal(await server.refresh(scheduler, tokens.refresh_token))).toBe(
    '400 invalid_grant 4735',
  )
  expect(refusal(await server.exchange(scheduler, code))).toBe('400 invalid_grant 4735')
  expect((await session.get('/my/apps')).status).toBe(303)
  const again = signIn(server, { email: 'admin@acme.test', password })
  await expect(again).rejects.toThrow()
  const { users } = await runJson('user', 'list', '--disabled')
  expect(users).toMatchObject([{ email: 'admin@acme.test', status: 'inactive' }])
  expect(await lastAct()).toMatchObject({ action: 'user.disabled' })

  await runJson('user', 'enable', 'admin@acme.test', ...reason)
  expect((await server.me(tokens.access_token)).status).toBe(200)
  expect((await server.refresh(scheduler, tokens.refresh_token)).status).toBe(200)
  await signIn(server, { email: 'admin@acme.test', password })
})

test('token revoke revokes the tokens of a user for one app or all apps, and notifies each public app', async () => {
  const twice = [await server.grantOf(scheduler), await server.grantOf(server.app('Legacy'))]
  await server.ctx.db.write((trx) =>
    trx.updateTable('apps').set({ deauthorization_url: 'http://127.0.0.1:9/' }).execute(),
  )
  const before = await events()
  const user = ['--user', 'member@acme.test']
  const done = await runJson('token', 'revoke', ...user, '--app', schedulerId, '--yes')
  expect(done).toMatchObject({ ended: { grants: expect.any(Number), sessions: 0 } })
  const [first, second] = await Promise.all(twice.map((each) => server.me(each.access_token)))
  expect(first?.body).toMatchObject({ code: 4741 })
  expect(second?.status).toBe(200)
  const sent = await events(before)
  expect(sent).toMatchObject([{ app_id: schedulerId }])
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
    event: 'app_deauthorized',
    payload: { user_id: member.id },
  })

  const session = await signIn(server, { email: 'member@acme.test', password })
  await runJson('token', 'revoke', '--user', member.id, '--yes')
  expect((await server.me(twice[1]?.access_token)).body).toMatchObject({ code: 4741 })
  expect(refusal(await server.refresh(server.app('Legacy'), twice[1]?.refresh_token))).toBe(
    '400 invalid_grant 4741',
  )
  expect((await session.get('/my/apps')).status).toBe(303)
  expect(await lastAct()).toMatchObject({ action: 'tokens.revoked', whom: member.id })
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

test('rotate-secret prints a working client secret, and --end-previous revokes the previous one', async () => {
  const bot = server.app('Helper bot')
  const { clientSecret } = await runJson('rotate-secret', bot.clientId)
  const app = { ...bot, clientSecret: String(clientSecret) }
  tokensOf(await server.token(app, { grant_type: 'client_credentials' }))
  const { out } = await run('rotate-secret', bot.clientId, '--end-previous')
  expect(out).toContain('The previous secret no longer works.')
  expect((await server.token(app, { grant_type: 'client_credentials' })).status).toBe(401)
  expect(await run('rotate-secret', 'unknown')).toEqual({
    code: 1,
    out: '',
    err: 'There is no client with this id.\n',
  })
})

test('app delete ends all access, hides the app, sends a webhook for each user and frees its name', async () => {
  const tokens = tokensOf(await server.exchange(scheduler, await server.codeOf(scheduler)))
  const before = await events()
  const done = await runJson('app', 'delete', schedulerId, ...reason, '--yes')
  expect(done).toMatchObject({ name: 'Scheduler', ended: { grants: 2 } })
  expect((await server.me(tokens.access_token)).body).toMatchObject({ code: 4741 })
  expect(refusal(await server.refresh(scheduler, tokens.refresh_token))).toBe(
    '401 invalid_client 4702',
  )
  // One for the member's grant and one for the admin's, which an earlier test created.
  const sent = await events(before)
  expect(sent).toMatchObject([{ app_id: schedulerId }, { app_id: schedulerId }])
  const owner = await signIn(server, { email: 'owner@acme.test', password })
  expect((await owner.get(`/console/apps/${schedulerId}`)).status).toBe(404)
  expect(await (await owner.get('/console')).text()).not.toContain(schedulerId)
  const again = await declare(server, { apps: [generalApp('Scheduler', ['user:read:user'])] })
  expect(appOf(again, 'Scheduler').id).not.toBe(schedulerId)
})
