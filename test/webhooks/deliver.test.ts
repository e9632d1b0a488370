import { createHmac } from 'node:crypto'
import { AppDeauthorizedEvent } from '@skillpass/contract'
import { removeAccountApp, removeAddedApp } from '@skillpass/server/internal/oauth/added-apps'
import { describe, expect, test } from 'vitest'
import { declare } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { allow, allowAndRemove, hookApp, userOf } from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { attempted, logOf, receiverForFile } from './fixture.ts'

const { receiver } = await receiverForFile()

describe.each(engines)('removal events on %s', async (engine) => {
  const server = await startOAuthServer({ engine })

  test('the event has the fields of the spec, compact JSON and a signed payload', async () => {
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

  test('a token that its app revokes causes no event', async () => {
    const scheduler = server.app('Scheduler')
    const known = { name: 'Scheduler', account: 'Acme', type: 'general' } as const
    await declare(server, { apps: [{ ...known, deauthorizationUrl: receiver.url('/scheduler') }] })
    const { access_token: token } = await server.grantOf(scheduler)
    const { body } = await server.post('/oauth/revoke', { token }, { app: scheduler })
    expect(body).toEqual({ status: 'success' })
    const events = await server.ctx.db.read
      .selectFrom('webhook_events')
      .selectAll()
      .where('app_id', '=', server.appId('Scheduler'))
      .execute()
    expect(events).toEqual([])
  })

  test('an admin who removes an app for the account causes an event for every user', async () => {
    const app = await hookApp(server, receiver, { level: 'account' })
    const emails = ['owner@acme.test', 'admin@acme.test']
    for (const email of [...emails, 'member@other.test']) await allow(server, app, { email })
    const admin = await userOf(server, 'admin@acme.test')
    expect(await removeAccountApp(server.ctx, admin, app.id)).toBe(true)
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
})
