import { createHmac } from 'node:crypto'
import { AppDeauthorizedEvent } from '@skillpass/contract'
import {
  listAccountApps,
  removeAccountApp,
  removeAddedApp,
} from '@skillpass/server/oauth/added-apps'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { declare, password } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { answerTime, holdTimeouts } from '../support/held-timeouts.ts'
import {
  allow,
  allowAndRemove,
  attempted,
  hookApp,
  logOf,
  receiverForFile,
  setAddress,
  userOf,
} from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { signatureProblems } from '../support/receiver.ts'

holdTimeouts(answerTime)
const receiver = await receiverForFile()

describe.each(engines)('the event of a removal on %s', async (engine) => {
  const server = await startOAuthServer({ engine })

  test('a user who removes an app on its page causes an event', async () => {
    const app = await hookApp(server, receiver)
    await allow(server, app)
    const browser = await signIn(server, { email: 'member@acme.test', password })
    const page = await (await browser.get('/my/apps')).text()
    const form = page.slice(page.lastIndexOf('<form', page.indexOf(`value="${app.id}"`)))
    expect((await browser.submit(form, '/my/apps/remove')).status).toBe(303)
    await expect.poll(() => receiver.deliveries(app.path).length).toBe(1)
  })

  test('the event has the fields of the specification, compact JSON and a signed payload', async () => {
    const app = await hookApp(server, receiver)
    const user = await userOf(server, 'member@acme.test')
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

  test('the event has both signatures, and the library of Standard Webhooks verifies its own', async () => {
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

  test('several grants of a user cause one event, and grants of development credentials none', async () => {
    const app = await hookApp(server, receiver)
    await allow(server, app)
    await allow(server, app)
    await allow(server, app, { clientId: app.developmentClientId })
    await allowAndRemove(server, app)
    await attempted(server, app, 1)
    await allow(server, app, { clientId: app.developmentClientId })
    const user = await userOf(server, 'member@acme.test')
    expect(await removeAddedApp(server.ctx, user, app.id)).toBe(true)
    expect(await logOf(server, app)).toHaveLength(1)
  })

  test.each(['private', 'development'] as const)('a %s app gets no event', async (visibility) => {
    const app = await hookApp(server, receiver, { visibility })
    await allowAndRemove(server, app)
    expect(await logOf(server, app)).toEqual([])
  })

  test('an app without an address gets no event, and a removal without a grant causes none', async () => {
    const app = await hookApp(server, receiver)
    const user = await userOf(server, 'member@acme.test')
    expect(await removeAddedApp(server.ctx, user, app.id)).toBe(false)
    await setAddress(server, app, null)
    await allowAndRemove(server, app)
    expect(await logOf(server, app)).toEqual([])
  })

  test('a token that its app revokes causes no event', async () => {
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

  test('an admin who removes an app for the account causes an event for every user', async () => {
    const app = await hookApp(server, receiver, { level: 'account' })
    const emails = ['owner@acme.test', 'admin@acme.test']
    for (const email of [...emails, 'member@other.test']) await allow(server, app, { email })
    const admin = await userOf(server, 'admin@acme.test')
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
    await expect.poll(() => receiver.deliveries(app.path).length).toBe(2)
    const users = receiver.deliveries(app.path).map(({ event }) => event.payload.user_id)
    const expected = await Promise.all(
      emails.map(async (email) => (await userOf(server, email)).id),
    )
    expect(users.sort()).toEqual(expected.sort())
    expect(await removeAccountApp(server.ctx, admin, app.id)).toBe(false)
    const other = await userOf(server, 'member@other.test')
    expect(await removeAddedApp(server.ctx, other, app.id)).toBe(true)
  })

  test('a member cannot remove an app for the account, and an admin no user-level app', async () => {
    const app = await hookApp(server, receiver)
    await allow(server, app)
    const user = await userOf(server, 'member@acme.test')
    await expect(removeAccountApp(server.ctx, user, app.id)).rejects.toMatchObject({
      code: 403,
    })
    await expect(listAccountApps(server.ctx, user)).rejects.toMatchObject({ code: 403 })
    const admin = await userOf(server, 'admin@acme.test')
    expect(await removeAccountApp(server.ctx, admin, app.id)).toBe(false)
    const apps = await listAccountApps(server.ctx, admin)
    expect(apps.filter(({ appId }) => appId === app.id)).toEqual([])
    expect(await logOf(server, app)).toEqual([])
  })
})
