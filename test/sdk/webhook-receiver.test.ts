import { authorizationCode } from '@skillpass/client'
import { systemClock } from '@skillpass/server/runtime/time'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { appOf, callback, credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { buildExamples } from './example-process.ts'
import { declaredUser } from './oauth-user.ts'

const startExample = await buildExamples()
// The receiver runs in another process with real time, so the server uses real time too.
const server = await startTestServer({
  clock: { ...systemClock, advance() {}, setWall() {} },
  env: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'on' },
})
const port = await freePort()
const url = `http://127.0.0.1:${port}/events`
const app = { ...testAccounts.apps[0], name: 'Hearing', deauthorizationUrl: url }
const applied = await declare(server, { ...testAccounts, apps: [app] })
const { id: appId, secretToken = '' } = appOf(applied, 'Hearing')
const oldSecretToken = 'the-old-secret-token'
const receiver = startExample('webhook-receiver.ts', {
  SKILLPASS_SECRET_TOKEN: `${secretToken},${oldSecretToken}`,
  PORT: String(port),
})
expect(await receiver.line()).toBe(`Listening on port ${port}.`)

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
  return fetch(url, { method: 'POST', headers, body })
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
  expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
  expect((await fetch(url, { method: 'POST' })).status).toBe(401)
  expect((await post(eventFor('user-4'), { id: 'evt_4' })).status).toBe(204)
  expect(await receiver.line()).toBe('Deleted the data of user user-4.')
})

test('webhook-receiver.ts gets the event of the server when a user removes the app', async () => {
  const member = declaredUser(server, applied, 'member@acme.test')
  const flow = authorizationCode({
    authUrl: server.url,
    ...credentialsOf(applied, 'Hearing'),
    redirectUri: callback,
  })
  const pending = await flow.start()
  await flow.finish(await member.consent(pending.url), pending)
  await member.remove(appId)
  expect(await receiver.line()).toBe(`Deleted the data of user ${member.id}.`)
})
