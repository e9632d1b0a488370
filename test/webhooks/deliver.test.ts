import { createHmac } from 'node:crypto'
import { AppDeauthorizedEvent } from '@skillpass/contract'
import {
  listAccountApps,
  removeAccountApp,
  removeAddedApp,
} from '@skillpass/server/oauth/added-apps'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declare, password } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { allow, allowAndRemove, attempted, hookApp, logOf, userOf } from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { type Receiver, signatureProblems, startReceiver } from '../support/receiver.ts'
import { until } from '../support/waiting.ts'

describe.each(engines)('the event of a removal on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  test('comes to the endpoint when a user removes the app on its page', async () => {
    const app = await hookApp(server, receiver)
    await allow(server, app)
    const browser = await signIn(server, { email: 'member@testAccounts.test', password })
    const page = await (await browser.get('/my/apps')).text()
    const form = page.slice(page.lastIndexOf('<form', page.indexOf(`value="${app.id}"`)))
    expect((await browser.submit(form, '/my/apps/remove')).status).toBe(303)
    await until('the event', () => receiver.deliveries(app.path).length === 1)
  })

  test('has the fields of the specification, bytes that JSON.stringify gives, and a signed payload', async () => {
    const app = await hookApp(server, receiver)
    const user = await userOf(server, 'member@testAccounts.test')
    await allowAndRemove(server, app)
    const { id } = await attempted(server, app, 1)
    const [received] = receiver.deliveries(app.path)
    if (!received) throw new Error('Nothing came.')
    const time = new Date(server.ctx.steadyNow()).toISOString()
    const { payload } = AppDeauthorizedEvent.parse(received.event)
    expect(received.event).toEqual({
      event: 'app_deauthorized',
      event_ts: Date.parse(time),
      payload: {
        account_id: user.accountId,
        user_id: user.id,
        signature: createHmac('sha256', app.secret)
          .update(`${app.clientId}:${user.id}:${user.accountId}:${time}`)
          .digest('hex'),
        deauthorization_time: time,
        client_id: app.clientId,
      },
    })
    expect(Object.keys(payload).join()).toBe(
      'account_id,user_id,signature,deauthorization_time,client_id',
    )
    expect(received.body).toBe(JSON.stringify(received.event))
    expect(received.headers['webhook-id']).toBe(id)
    expect(received.headers['content-type']).toBe('application/json')
    expect(received.headers['user-agent']).toMatch(/^Skillpass/)
  })

  test('bears both signatures, and the library of Standard Webhooks verifies its own', async () => {
    const app = await hookApp(server, receiver)
    await allowAndRemove(server, app)
    await attempted(server, app, 1)
    const [received] = receiver.deliveries(app.path)
    if (!received) throw new Error('Nothing came.')
    expect(signatureProblems(received, app.secret, server.clock.now())).toEqual([])
    const headers = Object.fromEntries(
      Object.entries(received.headers).map(([name, value]) => [name, String(value)]),
    )
    const webhook = new Webhook(Buffer.from(app.secret).toString('base64'))
    expect(webhook.verify(received.body, headers)).toEqual(received.event)
    expect(() => webhook.verify(`${received.body} `, headers)).toThrow()
  })

  test('is one for a user who has allowed the app several times, none for development credentials', async () => {
    const app = await hookApp(server, receiver)
    await allow(server, app)
    await allow(server, app)
    await allow(server, app, { clientId: app.developmentClientId })
    await allowAndRemove(server, app)
    await attempted(server, app, 1)
    await allow(server, app, { clientId: app.developmentClientId })
    const user = await userOf(server, 'member@testAccounts.test')
    expect(await removeAddedApp(server.ctx, user, app.id)).toBe(true)
    expect(await logOf(server, app)).toHaveLength(1)
  })

  test.each(['private', 'development'] as const)('is none for a %s app', async (visibility) => {
    const app = await hookApp(server, receiver, { visibility })
    await allowAndRemove(server, app)
    expect(await logOf(server, app)).toEqual([])
  })

  test('is none for an app without an address, and none where nothing was removed', async () => {
    const app = await hookApp(server, receiver)
    const user = await userOf(server, 'member@testAccounts.test')
    expect(await removeAddedApp(server.ctx, user, app.id)).toBe(false)
    await server.ctx.db.write((trx) =>
      trx
        .updateTable('apps')
        .set({ deauthorization_url: null })
        .where('id', '=', app.id)
        .execute()
        .then(() => {}),
    )
    await allowAndRemove(server, app)
    expect(await logOf(server, app)).toEqual([])
  })

  test("is none for an app's own revoke", async () => {
    const scheduler = server.app('Scheduler')
    const { id } = server.applied.apps.find(({ name }) => name === 'Scheduler') ?? { id: '' }
    const known = { name: 'Scheduler', account: 'Acme', type: 'general' } as const
    await declare(server, { apps: [{ ...known, deauthorizationUrl: receiver.url('/scheduler') }] })
    const { access_token: token } = await server.grantOf(scheduler)
    const { body } = await server.post('/oauth/revoke', { token }, { app: scheduler })
    expect(body).toEqual({ status: 'success' })
    const events = await server.ctx.db.read
      .selectFrom('webhook_events')
      .selectAll()
      .where('app_id', '=', id)
      .execute()
    expect(events).toEqual([])
  })

  test('is one for every user when an admin removes the app for the account', async () => {
    const app = await hookApp(server, receiver, { level: 'account' })
    const emails = ['owner@testAccounts.test', 'admin@testAccounts.test']
    for (const email of [...emails, 'member@other.test']) await allow(server, app, { email })
    const admin = await userOf(server, 'admin@testAccounts.test')
    const listed = async () =>
      (await listAccountApps(server.ctx, admin)).find(({ appId }) => appId === app.id)
    expect(await listed()).toMatchObject({
      since: server.ctx.steadyNow(),
      accountName: 'Acme',
      scopes: [{ scope: 'user:read:user' }],
      allowedBy: [...emails].sort().map((email) => ({ email, since: server.ctx.steadyNow() })),
    })
    expect(await removeAccountApp(server.ctx, admin, app.id)).toBe(true)
    expect(await listed()).toBeUndefined()
    await until('both', () => receiver.deliveries(app.path).length === 2)
    const users = receiver.deliveries(app.path).map(({ event }) => event.payload.user_id)
    const expected = await Promise.all(
      emails.map(async (email) => (await userOf(server, email)).id),
    )
    expect(users.sort()).toEqual(expected.sort())
    expect(await removeAccountApp(server.ctx, admin, app.id)).toBe(false)
    const other = await userOf(server, 'member@other.test')
    expect(await removeAddedApp(server.ctx, other, app.id)).toBe(true)
  })

  test('is for no member to cause for the account, and for no admin with a user-level app', async () => {
    const app = await hookApp(server, receiver)
    await allow(server, app)
    const user = await userOf(server, 'member@testAccounts.test')
    await expect(removeAccountApp(server.ctx, user, app.id)).rejects.toMatchObject({
      code: 403,
    })
    await expect(listAccountApps(server.ctx, user)).rejects.toMatchObject({ code: 403 })
    const admin = await userOf(server, 'admin@testAccounts.test')
    expect(await removeAccountApp(server.ctx, admin, app.id)).toBe(false)
    const apps = await listAccountApps(server.ctx, admin)
    expect(apps.filter(({ appId }) => appId === app.id)).toEqual([])
    expect(await logOf(server, app)).toEqual([])
  })
})
