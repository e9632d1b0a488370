import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { lastOperatorAct } from '../support/audit.ts'
import { operate, operateJson } from '../support/commands.ts'
import { refusal, startOAuthServer } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { encryptionKey, wide } from '../support/settings.ts'

const command = fileURLToPath(new URL('../../server/bin/skillpass-server.js', import.meta.url))
const reason = ['--reason', 'A test asked for it.']

const server = await startOAuthServer()
const run = (...args: string[]) => operate(server.database, ...args)
const runJson = (...args: string[]) => operateJson(server.database, ...args)
const scheduler = server.app('Scheduler')

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
  expect(await lastOperatorAct(server)).toMatchObject({ action: 'user.disabled' })

  await runJson('user', 'enable', 'admin@acme.test', ...reason)
  expect((await server.me(tokens.access_token)).status).toBe(200)
  expect((await server.refresh(scheduler, tokens.refresh_token)).status).toBe(200)
  await signIn(server, { email: 'admin@acme.test', password })
})

test('user set-password ends sessions and sets a password, which is printed once or read from stdin', async () => {
  const email = 'owner@acme.test'
  const session = await signIn(server, { email, password })
  const { password: printed, action, ...user } = await runJson('user', 'set-password', email)
  expect(user).toMatchObject({ email, accountName: 'Acme' })
  expect((await session.get('/my/apps')).status).toBe(303)
  await expect(signIn(server, { email, password })).rejects.toThrow()
  await signIn(server, { email, password: String(printed) })
  expect(await lastOperatorAct(server)).toMatchObject({ action: 'user.changed', note: 'password' })
  const line = await run('user', 'set-password', email)
  expect(line.out).toMatch(
    /^The password of owner@acme\.test is changed.*\nPassword \(printed only once\): \w{20}\n$/,
  )
  const unknown = await run('user', 'set-password', 'ownr@acme.test')
  expect([unknown.code, unknown.err]).toEqual([
    1,
    'There is no user ownr@acme.test. Did you mean owner@acme.test?\n',
  ])

  const fromStdin = (input: string) =>
    spawnSync(process.execPath, [command, 'user', 'set-password', email, '--stdin'], {
      env: { DATABASE_URL: server.database.url, ENCRYPTION_KEY: encryptionKey, COLUMNS: wide },
      encoding: 'utf8',
      input,
    })
  const weak = await fromStdin('short\n')
  expect([weak.status, weak.stderr]).toEqual([1, expect.stringContaining('at least 8')])
  const set = await fromStdin('typed by hand\n')
  expect([set.status, set.stdout]).toEqual([0, expect.not.stringContaining('typed by hand')])
  await signIn(server, { email, password: 'typed by hand' })
})
