import { join } from 'node:path'
import { authorizationCode } from '@skillpass/client'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import {
  accountOf,
  appOf,
  callback,
  credentialsOf,
  declare,
  generalApp,
  testAccounts,
} from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { serveHttp } from '../support/http-server.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { addressesAt } from '../support/settings.ts'
import { buildExamples } from './example-process.ts'
import { declaredUser } from './oauth-user.ts'

const startExample = await buildExamples()
// The examples run in other processes with real time, so the server uses real time too.
const port = String(await freePort())
const server = await startTestServer({
  clock: { now: Date.now, monotonic: () => performance.now(), advance() {}, setWall() {} },
  // MCP clients follow the addresses in the metadata.
  env: {
    PORT: port,
    ...addressesAt(`http://127.0.0.1:${port}`),
    DEVICE_POLL_INTERVAL_SECONDS: '1',
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'on',
  },
})
const redirectUri = `http://127.0.0.1:${await freePort()}/callback`
const local = { ...testAccounts.apps[0], name: 'Local', redirectUris: [redirectUri] }
const meets = generalApp('Meets', ['meeting:write:meeting', 'user:read:user'], {
  publicClient: true,
  redirectUris: [redirectUri],
})
const hearingPort = await freePort()
const events = `http://127.0.0.1:${hearingPort}/events`
const hearing = { ...testAccounts.apps[0], name: 'Hearing', deauthorizationUrl: events }
const apps = [...testAccounts.apps, local, meets, hearing]
const applied = await declare(server, { ...testAccounts, apps })
const member = declaredUser(server, applied, 'member@acme.test')
const folder = await temporaryFolder()

/** Starts an example with the credentials of an app. */
function start(example: string, app: string, env: Record<string, string>) {
  const { clientId, clientSecret } = credentialsOf(applied, app)
  return startExample(example, {
    SKILLPASS_URL: server.url,
    SKILLPASS_CLIENT_ID: clientId,
    SKILLPASS_CLIENT_SECRET: clientSecret,
    ...env,
  })
}

/** Result of an example that succeeds. */
const success = { code: 0, complaints: '' }

test('account-token.ts reads the owner of the app', async () => {
  const accountId = accountOf(applied, 'Acme').id
  const example = start('account-token.ts', 'Reporter', { SKILLPASS_ACCOUNT_ID: accountId })
  expect(await example.line()).toBe('owner Tester owns the app.')
  expect(await example.ended).toEqual(success)
})

test('chatbot.ts has the scope of chatbots, sends a message and reads no user', async () => {
  const env = { SKILLPASS_ROBOT_JID: 'helper@bots.acme.test', SKILLPASS_TO_JID: 'olga@acme.test' }
  const example = start('chatbot.ts', 'Helper bot', env)
  expect(await example.line()).toBe('The bot has imchat:bot.')
  expect(await example.line()).toMatch(/^Sent message \S+ to olga@acme\.test\.$/)
  expect(await example.line()).toBe('The bot cannot read users, as expected.')
  expect(await example.ended).toEqual(success)
})

test('device.ts asks its user once, and uses the stored tokens the next time', async () => {
  const env = { SKILLPASS_TOKENS: join(folder, 'device.json') }
  const first = start('device.ts', 'Scheduler', env)
  const [, userCode = ''] = /enter (\S+)\.$/.exec(await first.line()) ?? []
  await member.enterCode(userCode)
  expect(await first.line()).toBe('Signed in as member Tester.')
  expect(await first.ended).toEqual(success)
  const second = start('device.ts', 'Scheduler', env)
  expect(await second.line()).toBe('Signed in as member Tester.')
  expect(await second.ended).toEqual(success)
})

test('user-authorization.ts rejects a forged callback, accepts the real one, and asks its user once', async () => {
  const env = { SKILLPASS_TOKENS: join(folder, 'user.json'), SKILLPASS_REDIRECT_URI: redirectUri }
  const first = start('user-authorization.ts', 'Local', env)
  const [, url = ''] = /^Open (\S+)$/.exec(await first.line()) ?? []
  expect((await fetch(`${redirectUri}?code=forged&state=forged`)).status).toBe(400)
  const page = await fetch(await member.consent(url))
  expect(await page.text()).toBe('Done. You can close this page.')
  expect(await first.line()).toBe('Signed in as member Tester.')
  expect(await first.ended).toEqual(success)
  const second = start('user-authorization.ts', 'Local', env)
  expect(await second.line()).toBe('Signed in as member Tester.')
  expect(await second.ended).toEqual(success)
})

/** Client ids of the scheduler. */
const schedulers: [string, () => Promise<string>][] = [
  ['the client id of a registered app', async () => credentialsOf(applied, 'Meets').clientId],
  ['the address of its metadata document', () => serveClientDocument('http://127.0.0.1/callback')],
]

async function serveClientDocument(redirectUri: string) {
  const { url } = await serveHttp((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        client_id: `http://${request.headers.host}${request.url}`,
        client_name: 'Scheduler',
        redirect_uris: [redirectUri],
      }),
    )
  })
  return `${url}/scheduler.json`
}

const author = await server.agent('author')
await author.client.registry.skills.publish({
  body: { name: 'Schedule a meeting', slug: 'schedule-meeting', readme: '# Meet\n' },
})

test.each(schedulers)('scheduler.ts with %s books after one consent', async (_, clientId) => {
  const env = {
    SKILLPASS_URL: server.url,
    SKILLPASS_CLIENT_ID: await clientId(),
    SKILLPASS_REDIRECT_URI: redirectUri,
  }
  const example = startExample('scheduler.ts', env, 'Tides', '2030-01-01T10:00:00Z')
  expect(await example.line()).toBe('Read Schedule a meeting.')
  const [, url = ''] = /^Open (\S+)$/.exec(await example.line()) ?? []
  expect((await fetch(`${redirectUri}?code=forged&state=forged`)).status).toBe(400)
  const page = await fetch(await member.consent(url))
  expect(await page.text()).toBe('Done. You can close this page.')
  expect(await example.line()).toMatch(/^Created meeting \d+ "Tides", starts 2030-01-01T10:00:00Z/)
  expect(await example.ended).toEqual(success)
})

const { id: appId, secretToken = '' } = appOf(applied, 'Hearing')
const oldSecretToken = 'the-old-secret-token'
const receiver = startExample('webhook-receiver.ts', {
  SKILLPASS_SECRET_TOKEN: `${secretToken},${oldSecretToken}`,
  PORT: String(hearingPort),
})
expect(await receiver.line()).toBe(`Listening on port ${hearingPort}.`)

const eventFor = (userId: string) =>
  JSON.stringify({
    event: 'app_deauthorized',
    event_ts: 1,
    payload: {
      account_id: 'account-1',
      user_id: userId,
      signature: '',
      deauthorization_time: '2025-11-21T09:29:59.000Z',
      client_id: 'client-1',
    },
  })

/** Posts a body with the headers of Standard Webhooks. */
function post(body: string, { id = 'evt_1', secret = secretToken, at = new Date() } = {}) {
  const signature = new Webhook(secret, { format: 'raw' }).sign(id, at, body)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  }
  return fetch(events, { method: 'POST', headers, body })
}

test('webhook-receiver.ts deletes the data of a user once, however often the event comes', async () => {
  for (const _ of [1, 2, 3]) expect((await post(eventFor('user-1'))).status).toBe(204)
  expect((await post(eventFor('user-2'), { id: 'evt_2' })).status).toBe(204)
  expect(await receiver.line()).toBe('Deleted the data of user user-1.')
  expect(await receiver.line()).toBe('Deleted the data of user user-2.')
})

test('webhook-receiver.ts returns 401 for a forged, an old or an unsigned event, and deletes nothing', async () => {
  const body = eventFor('user-3')
  const old = new Date(Date.now() - 301_000)
  expect((await post(body, { id: 'evt_3', secret: 'another' })).status).toBe(401)
  expect((await post(body, { id: 'evt_3', at: old })).status).toBe(401)
  expect((await fetch(events, { method: 'POST', body })).status).toBe(401)
  expect((await fetch(events, { method: 'POST' })).status).toBe(401)
  expect((await post(eventFor('user-4'), { id: 'evt_4' })).status).toBe(204)
  expect(await receiver.line()).toBe('Deleted the data of user user-4.')
})

test('webhook-receiver.ts gets the event of the server when a user removes the app', async () => {
  const admin = declaredUser(server, applied, 'admin@acme.test')
  const flow = authorizationCode({
    authUrl: server.url,
    ...credentialsOf(applied, 'Hearing'),
    redirectUri: callback,
  })
  const pending = await flow.start()
  await flow.finish(await admin.consent(pending.url), pending)
  await admin.remove(appId)
  expect(await receiver.line()).toBe(`Deleted the data of user ${admin.id}.`)
})
