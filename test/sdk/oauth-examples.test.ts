import { join } from 'node:path'
import { fileTokenStore } from '@skillpass/client/node'
import { systemClock } from '@skillpass/server/runtime/time'
import { expect, test } from 'vitest'
import { accountOf, credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { startExample } from './example-process.ts'
import { declaredUser } from './oauth-user.ts'

// The examples are processes of their own and live in real time, so the server must too.
const server = await startTestServer({
  clock: { ...systemClock, advance() {}, setWall() {} },
  env: { DEVICE_POLL_INTERVAL_SECONDS: '1' },
})
const redirectUri = `http://127.0.0.1:${await freePort()}/callback`
const local = { ...testAccounts.apps[0], name: 'Local', redirectUris: [redirectUri] }
const applied = await declare(server, { ...testAccounts, apps: [...testAccounts.apps, local] })
const folder = await temporaryFolder()

/** Starts an example with the credentials of an app. */
function start(example: string, appName: string, env: Record<string, string> = {}) {
  const { clientId, clientSecret } = credentialsOf(applied, appName)
  return startExample(example, {
    SKILLPASS_URL: server.url,
    SKILLPASS_CLIENT_ID: clientId,
    SKILLPASS_CLIENT_SECRET: clientSecret,
    ...env,
  })
}

const fine = { code: 0, complaints: '' }

test('account-token.ts reads the owner of the app', async () => {
  const accountId = accountOf(applied, 'Acme').id
  const example = start('account-token.ts', 'Reporter', { SKILLPASS_ACCOUNT_ID: accountId })
  expect(await example.line()).toBe('owner Tester owns the app.')
  expect(await example.ended).toEqual(fine)
})

test('chatbot.ts has the scope of chatbots, sends a message and reads no user', async () => {
  const env = {
    SKILLPASS_ROBOT_JID: 'helper@bots.acme.test',
    SKILLPASS_TO_JID: 'olga@testAccounts.test',
  }
  const example = start('chatbot.ts', 'Helper bot', env)
  expect(await example.line()).toBe('The bot has imchat:bot.')
  expect(await example.line()).toMatch(/^Message \S+ went to olga@testAccounts\.test\.$/)
  expect(await example.line()).toBe('It cannot read users, as it should be.')
  expect(await example.ended).toEqual(fine)
})

test('device.ts asks its user once, and goes on with the same tokens the next time', async () => {
  const member = declaredUser(server, applied, 'member@testAccounts.test')
  const env = { SKILLPASS_TOKENS: join(folder, 'device.json') }
  const first = start('device.ts', 'Scheduler', env)
  const [, userCode = ''] = /enter (\S+)\.$/.exec(await first.line()) ?? []
  await member.enterCode(userCode)
  expect(await first.line()).toBe('Signed in as member Tester.')
  expect(await first.ended).toEqual(fine)
  const second = start('device.ts', 'Scheduler', env)
  expect(await second.line()).toBe('Signed in as member Tester.')
  expect(await second.ended).toEqual(fine)
})

test('device.ts in several processes: all refresh at once, and all get tokens', async () => {
  const member = declaredUser(server, applied, 'member@testAccounts.test')
  const path = join(folder, 'shared.json')
  const env = { SKILLPASS_TOKENS: path }
  const first = start('device.ts', 'Scheduler', env)
  const [, userCode = ''] = /enter (\S+)\.$/.exec(await first.line()) ?? []
  await member.enterCode(userCode)
  await first.ended
  const store = fileTokenStore(path)
  const old = await store.load()
  if (!old) throw new Error('No tokens were kept.')
  await store.save({ ...old, expiresAt: 0 })
  const workers = Array.from({ length: 4 }, () => start('device.ts', 'Scheduler', env))
  for (const worker of workers) {
    expect(await worker.line()).toBe('Signed in as member Tester.')
    expect(await worker.ended).toEqual(fine)
  }
  expect((await store.load())?.refreshToken).not.toBe(old.refreshToken)
})

test('user-authorization.ts takes the callback, refuses a forged one, and asks its user once', async () => {
  const member = declaredUser(server, applied, 'member@testAccounts.test')
  const env = {
    SKILLPASS_TOKENS: join(folder, 'user.json'),
    SKILLPASS_REDIRECT_URI: redirectUri,
  }
  const first = start('user-authorization.ts', 'Local', env)
  const [, url = ''] = /^Open (\S+)$/.exec(await first.line()) ?? []
  expect((await fetch(`${redirectUri}?code=forged&state=forged`)).status).toBe(400)
  const page = await fetch(await member.consent(url))
  expect(await page.text()).toBe('Done. You may close this page.')
  expect(await first.line()).toBe('Signed in as member Tester.')
  expect(await first.ended).toEqual(fine)
  const second = start('user-authorization.ts', 'Local', env)
  expect(await second.line()).toBe('Signed in as member Tester.')
  expect(await second.ended).toEqual(fine)
})

test('user-authorization.ts ends with an error where the user says no', async () => {
  const member = declaredUser(server, applied, 'member@testAccounts.test')
  const env = {
    SKILLPASS_TOKENS: join(folder, 'none.json'),
    SKILLPASS_REDIRECT_URI: redirectUri,
  }
  const example = start('user-authorization.ts', 'Local', env)
  const [, url = ''] = /^Open (\S+)$/.exec(await example.line()) ?? []
  const page = await fetch(await member.consent(url, { allow: false }))
  expect(page.status).toBe(400)
  const { code, complaints } = await example.ended
  expect(code).toBe(1)
  expect(complaints).toContain('AccessDeniedError')
})
