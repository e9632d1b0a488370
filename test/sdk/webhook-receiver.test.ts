import { authorizationCode } from '@skillpass/client'
import { systemClock } from '@skillpass/server/runtime/time'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { appOf, callback, credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { freePort } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { startExample } from './example-process.ts'
import { declaredUser } from './oauth-user.ts'

const secretToken = 'the-new-secret-token'
const event = {
  event: 'app_deauthorized',
  event_ts: 1,
  payload: {
    account_id: 'account-1',
    user_id: 'user-1',
    signature: '',
    deauthorization_time: '2025-11-21T09:29:59.000Z',
    client_id: 'client-1',
  },
}

/** Starts the receiver with some secret tokens, once it listens. */
async function startReceiver(secretTokens = secretToken, port?: number) {
  const PORT = String(port ?? (await freePort()))
  const receiver = startExample('webhook-receiver.ts', {
    SKILLPASS_SECRET_TOKEN: secretTokens,
    PORT,
  })
  expect(await receiver.line()).toBe(`Listening on port ${PORT}.`)
  return { ...receiver, url: `http://127.0.0.1:${PORT}/events` }
}

/** Posts a body with the headers of Standard Webhooks. */
function post(
  url: string,
  body: string,
  { id = 'evt_1', secret = secretToken, at = new Date() } = {},
) {
  const signature = new Webhook(secret, { format: 'raw' }).sign(id, at, body)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  }
  return fetch(url, { method: 'POST', headers, body })
}

describe('webhook-receiver.ts', () => {
  test('deletes the data of a user once, however often the event comes', async () => {
    const { url, line } = await startReceiver()
    const body = JSON.stringify(event)
    for (const _ of [1, 2, 3]) expect((await post(url, body)).status).toBe(204)
    const payload = { ...event.payload, user_id: 'user-2' }
    const other = JSON.stringify({ ...event, payload })
    expect((await post(url, other, { id: 'evt_2' })).status).toBe(204)
    expect(await line()).toBe('Deleted the data of user user-1.')
    expect(await line()).toBe('Deleted the data of user user-2.')
  })

  test('answers 401 to what is forged, too old or has no headers, and deletes nothing', async () => {
    const { url, stop, line } = await startReceiver()
    const body = JSON.stringify(event)
    const old = new Date(Date.now() - 301_000)
    expect((await post(url, body, { secret: 'another' })).status).toBe(401)
    expect((await post(url, body, { at: old })).status).toBe(401)
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
    expect((await fetch(url, { method: 'POST' })).status).toBe(401)
    stop()
    expect(await line()).toBe('undefined')
  })

  test('answers its validation, and takes events that it does not know', async () => {
    const { url } = await startReceiver()
    const payload = { plainToken: 'q9ib' }
    const asked = { event: 'endpoint.url_validation', event_ts: 1, payload }
    const answer = await post(url, JSON.stringify(asked))
    expect(await answer.json()).toMatchObject({ plainToken: 'q9ib' })
    expect((await post(url, '{"event":"user.renamed","payload":{}}')).status).toBe(204)
  })

  test('takes the old secret token beside the new one while it changes over', async () => {
    const { url } = await startReceiver(`${secretToken},the-old-secret-token`)
    const body = JSON.stringify(event)
    expect((await post(url, body, { secret: 'the-old-secret-token' })).status).toBe(204)
  })

  test('does not start without a secret token', async () => {
    const { ended } = startExample('webhook-receiver.ts', {})
    expect(await ended).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('SKILLPASS_SECRET_TOKEN is not set'),
    })
  })

  test('hears of the removal of its app from the running service', async () => {
    const port = await freePort()
    // The receiver lives in real time, so the server must too.
    const server = await startTestServer({
      clock: { ...systemClock, advance() {}, setWall() {} },
      env: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'on' },
    })
    onTestFinished(() => server.stop())
    const deauthorizationUrl = `http://127.0.0.1:${port}/events`
    const app = { ...testAccounts.apps[0], name: 'Hearing', deauthorizationUrl }
    const applied = await declare(server, { ...testAccounts, apps: [app] })
    const { id, secretToken } = appOf(applied, 'Hearing')
    const { line } = await startReceiver(secretToken, port)
    const member = declaredUser(server, applied, 'member@testAccounts.test')
    const flow = authorizationCode({
      authUrl: server.url,
      ...credentialsOf(applied, 'Hearing'),
      redirectUri: callback,
    })
    const pending = await flow.start()
    await flow.finish(await member.consent(pending.url), pending)
    await member.remove(id)
    expect(await line()).toBe(`Deleted the data of user ${member.id}.`)
  })
})
