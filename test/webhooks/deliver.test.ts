import { createHmac } from 'node:crypto'
import { AppDeauthorizedEvent } from '@skillpass/contract'
import { describe, expect, test } from 'vitest'
import { addUser, declare, password } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { allowAndRemove, hookApp } from '../support/hooked-apps.ts'
import { member, startOAuthServer } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { attempted, logOf, receiverForFile } from './fixture.ts'

const { receiver } = await receiverForFile()

describe.each(engines)('removal events on %s', async (engine) => {
  const server = await startOAuthServer({ engine })

  test('the event has the fields of the spec, compact JSON and a signed payload', async () => {
    const app = await hookApp(server, receiver)
    const user_id = server.idOf(member)
    const account_id = server.accountId('Acme')
    await allowAndRemove(server, app)
    const { id } = await attempted(server, app, 1)
    const [received] = receiver.deliveries(app.path)
    if (!received) throw new Error('Nothing came.')
    const time = new Date(server.clock.now()).toISOString()
    const { payload } = AppDeauthorizedEvent.parse(received.event)
    expect(received.event).toEqual({
      event: 'app_deauthorized',
      event_ts: Date.parse(time),
      payload: {
        account_id,
        user_id,
        signature: createHmac('sha256', app.secret)
          .update(`${app.clientId}:${user_id}:${account_id}:${time}`)
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
    for (const credentials of [app, app, app.development]) await server.grantOf(credentials)
    await allowAndRemove(server, app)
    await attempted(server, app, 1)
    await server.grantOf(app.development)
    await server.removeApp(app.id, member)
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
    const other = 'admin@other.test'
    await addUser(server, other, { account: 'Other', role: 'admin' })
    for (const email of [...emails, other]) await server.grantOf(app, { email })
    const admin = await signIn(server, { email: 'admin@acme.test', password })
    const removing = '/my/apps/remove-for-account'
    const remove = () => admin.fill('/my/apps', removing, { app: app.id })
    await remove()
    await expect.poll(() => receiver.deliveries(app.path).length).toBe(2)
    const users = receiver.deliveries(app.path).map(({ event }) => event.payload.user_id)
    expect(users.sort()).toEqual(emails.map(server.idOf).sort())
    await expect(remove()).rejects.toThrow('The page has no form')
    await server.removeApp(app.id, other)
  })
})
