import { expect, test } from 'vitest'
import { appOf, declare, generalApp, password, userOf } from '../support/apps.ts'
import { lastOperatorAct } from '../support/audit.ts'
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

test("app disable rejects an app's tokens from the next request until the operator enables the app", async () => {
  const strict = server.app('Strict')
  const id = server.appId('Strict')
  const legacy = server.app('Legacy')
  const tokens = await server.grantOf(legacy)
  expect((await server.me(tokens.access_token)).status).toBe(200)
  await runJson('app', 'disable', legacy.clientId, ...reason)
  expect((await server.me(tokens.access_token)).body).toMatchObject({ code: 4717 })
  expect(await lastOperatorAct(server)).toMatchObject({
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
  const tokens = await server.grantOf(scheduler)
  await server.grantOf(scheduler, { email: 'admin@acme.test' })
  await server.ctx.db.write((trx) =>
    trx.updateTable('apps').set({ deauthorization_url: 'http://127.0.0.1:9/' }).execute(),
  )
  const done = await runJson('app', 'delete', schedulerId, ...reason, '--yes')
  expect(done).toMatchObject({ name: 'Scheduler', ended: { grants: 2 } })
  expect((await server.me(tokens.access_token)).body).toMatchObject({ code: 4741 })
  expect(refusal(await server.refresh(scheduler, tokens.refresh_token))).toBe(
    '401 invalid_client 4702',
  )
  // One for the member's grant and one for the admin's.
  const sent = await server.ctx.db.read.selectFrom('webhook_events').select('app_id').execute()
  expect(sent).toMatchObject([{ app_id: schedulerId }, { app_id: schedulerId }])
  const owner = await signIn(server, { email: 'owner@acme.test', password })
  expect((await owner.get(`/console/apps/${schedulerId}`)).status).toBe(404)
  expect(await (await owner.get('/console')).text()).not.toContain(schedulerId)
  const again = await declare(server, { apps: [generalApp('Scheduler', ['user:read:user'])] })
  expect(appOf(again, 'Scheduler').id).not.toBe(schedulerId)
})
