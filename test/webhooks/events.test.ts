import { randomUUID } from 'node:crypto'
import { type EventName, eventNames, WebhookEvent } from '@skillpass/contract'
import { describe, expect, test } from 'vitest'
import {
  addUser,
  appOf,
  credentialsOf,
  declare,
  removeUser,
  serverApp,
  user,
} from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { type HookedApp, hookApp } from '../support/hooked-apps.ts'
import { makeMeeting } from '../support/meetings.ts'
import { member, startOAuthServer } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { signatureProblems } from '../support/receiver.ts'
import { receiverForFile } from './fixture.ts'

const { receiver } = await receiverForFile()

const meetings = ['meeting.created', 'meeting.updated', 'meeting.deleted'] as const
const users = ['user.created', 'user.updated', 'user.deleted'] as const

const planning = [
  'meeting:read:meeting',
  'meeting:write:meeting',
  'meeting:update:meeting',
  'meeting:delete:meeting',
]
const managing = ['user:read:user:admin', 'user:write:user:admin', 'user:delete:user:admin']

const newUser = () => user(`${randomUUID()}@acme.test`, 'member')

describe.each(engines)('events on %s', async (engine) => {
  const server = await startOAuthServer({ engine })

  /** Declares an app of Acme that receives events, with these scopes. */
  const subscriber = async (
    events: readonly EventName[],
    scopes: readonly string[],
    more: Parameters<typeof hookApp>[2] = {},
  ) => {
    const app = await hookApp(server, receiver, more)
    const known = { name: app.name, account: 'Acme', type: 'general' } as const
    await declare(server, { apps: [{ ...known, scopes, events }] })
    return app
  }

  /** Declares a server-to-server app that receives events. */
  const serverSubscriber = async (events: readonly EventName[], scopes: readonly string[]) => {
    const name = `Hooked ${randomUUID()}`
    const path = `/${name.slice(7)}`
    const settings = { deauthorizationUrl: receiver.url(path), events }
    const applied = await declare(server, { apps: [{ ...serverApp(name, scopes), ...settings }] })
    const [made] = applied.apps
    receiver.trust(path, made?.secretToken ?? '')
    return { ...credentialsOf(applied, name), id: appOf(applied, name).id, path }
  }

  /** Waits for `count` deliveries to an app. Returns their bodies by the time of the events. */
  const bodiesOf = async ({ path }: Pick<HookedApp, 'path'>, count: number) => {
    await expect.poll(() => receiver.deliveries(path).length).toBe(count)
    const bodies = receiver.deliveries(path).map(({ body }) => WebhookEvent.parse(JSON.parse(body)))
    return bodies.sort((a, b) => a.event_ts - b.event_ts)
  }

  /** The stored events of an app. Each is written in the transaction of its change. */
  const eventsOf = async ({ id }: Pick<HookedApp, 'id'>) => {
    const query = server.ctx.db.read.selectFrom('webhook_events').select('event')
    const rows = await query.where('app_id', '=', id).orderBy('sequence').execute()
    return rows.map(({ event }) => event)
  }

  /** Moves the clock, so that the next event has a later time. */
  const later = () => server.clock.advance(1000)

  test('a subscriber receives the meetings of its user, signed, in the envelope of the contract', async () => {
    const app = await subscriber(meetings, planning)
    const { access_token } = await server.grantOf(app)
    const call = (method: string, path: string, body?: object) =>
      server.callWith(access_token, path, { method, ...(body && { body }) })
    const start_time = '2027-01-05T10:00:00Z'
    const plan = { topic: 'Planning', type: 2, start_time, duration: 45, timezone: 'UTC' }
    const made = await call('POST', '/v2/users/me/meetings', { ...plan, password: 'secret1' })
    const { id, uuid, host_id, settings } = made.body
    later()
    await call('PATCH', `/v2/meetings/${id}`, { topic: 'Review', duration: 45 })
    later()
    await call('DELETE', `/v2/meetings/${id}`)
    const [created, updated, deleted, ...rest] = await bodiesOf(app, 3)
    const ids = { id, uuid, host_id }
    const by = { operator: member, operator_id: server.idOf(member) }
    const account_id = server.accountId('Acme')
    const whole = { ...ids, ...plan, agenda: '', settings, join_url: expect.any(String) }
    expect(created).toEqual({
      event: 'meeting.created',
      event_ts: expect.any(Number),
      payload: { account_id, ...by, operation: 'all', object: whole },
    })
    expect(updated).toEqual({
      event: 'meeting.updated',
      event_ts: expect.any(Number),
      payload: {
        ...{ account_id, ...by, scope: 'all', time_stamp: updated?.event_ts },
        object: { ...ids, topic: 'Review' },
        old_object: { ...ids, topic: 'Planning' },
      },
    })
    expect(deleted).toMatchObject({ event: 'meeting.deleted', payload: { operation: 'all' } })
    expect(rest).toEqual([])
    for (const received of receiver.deliveries(app.path)) {
      const at = Number(received.headers['x-zm-request-timestamp']) * 1000
      expect(signatureProblems(received, app.secret, at)).toEqual([])
      expect(received.body).not.toContain('secret1')
    }
  })

  test('a change without effect causes no event, and one of the passcode names no field', async () => {
    const app = await subscriber(meetings, planning)
    const { access_token } = await server.grantOf(app)
    const { id } = await makeMeeting(server, member)
    for (const body of [{ topic: 'Weekly review' }, { password: 'other1' }]) {
      await server.callWith(access_token, `/v2/meetings/${id}`, { method: 'PATCH', body })
      later()
    }
    const [, updated] = await bodiesOf(app, 2)
    expect(updated).toMatchObject({ event: 'meeting.updated', payload: { object: { id } } })
    expect(JSON.stringify(updated)).not.toMatch(/topic|other1|password/)
  })

  test('an occurrence is updated and deleted alone, and the last one deletes the meeting', async () => {
    const app = await subscriber(meetings, planning)
    const { access_token } = await server.grantOf(app)
    const recurrence = { type: 1, end_times: 2 }
    const { id } = await makeMeeting(server, member, { type: 8, recurrence })
    const { body } = await server.callWith(access_token, `/v2/meetings/${id}`)
    const [first, second] = body.occurrences as { occurrence_id: string }[]
    const at = (one?: { occurrence_id: string }) =>
      `/v2/meetings/${id}?occurrence_id=${one?.occurrence_id}`
    later()
    const changes = { method: 'PATCH', body: { topic: 'Only here' } }
    await server.callWith(access_token, at(first), changes)
    for (const one of [first, second]) {
      later()
      await server.callWith(access_token, at(one), { method: 'DELETE' })
    }
    const [, updated, one, all] = await bodiesOf(app, 4)
    expect(updated?.payload).toMatchObject({
      scope: 'single',
      object: { id, topic: 'Only here', occurrences: [first] },
      old_object: { id, topic: 'Weekly review', occurrences: [first] },
    })
    expect(one).toMatchObject({
      event: 'meeting.deleted',
      payload: { operation: 'single', object: { id, occurrences: [first] } },
    })
    expect(all).toMatchObject({
      event: 'meeting.deleted',
      payload: { operation: 'all', object: { id, occurrences: [second] } },
    })
  })

  test('a server-to-server app receives the users that it adds, changes and removes', async () => {
    const app = await serverSubscriber(users, [...managing, 'user:update:user:admin'])
    const account_id = server.accountId('Acme')
    const { body: tokens } = await server.token(app, {
      grant_type: 'account_credentials',
      account_id,
    })
    const call = (method: string, path: string, body?: object) =>
      server.callWith(String(tokens.access_token), path, { method, ...(body && { body }) })
    const email = `${randomUUID()}@acme.test`
    const user_info = { email, first_name: 'Ada', last_name: 'New', type: 1 }
    const made = await call('POST', '/v2/users', { action: 'create', user_info })
    const id = String(made.body.id)
    later()
    await call('PATCH', `/v2/users/${id}`, { first_name: 'Eve', dept: 'Sales' })
    later()
    await call('DELETE', `/v2/users/${id}`)
    const [created, updated, deleted] = await bodiesOf(app, 3)
    const by = { operator: 'owner@acme.test', operator_id: server.idOf('owner@acme.test') }
    const person = { id, ...user_info, display_name: 'Ada New' }
    expect(created?.payload).toEqual({
      account_id,
      ...by,
      creation_type: 'create',
      object: person,
    })
    expect(updated?.payload).toMatchObject({
      ...by,
      object: { id, first_name: 'Eve', display_name: 'Eve New', dept: 'Sales' },
      old_object: { id, first_name: 'Ada', display_name: 'Ada New', dept: '' },
    })
    const last = { first_name: 'Eve', display_name: 'Eve New' }
    expect(deleted?.payload).toEqual({ account_id, ...by, object: { ...person, ...last } })
  })

  test('what the operator declares causes events without an operator, and a new password none', async () => {
    const app = await serverSubscriber(users, managing)
    const email = `${randomUUID()}@acme.test`
    await addUser(server, email)
    later()
    await addUser(server, email)
    await addUser(server, email, { role: 'admin' })
    later()
    await removeUser(server, email)
    const [created, updated, deleted] = await bodiesOf(app, 3)
    expect(created?.event).toBe('user.created')
    expect(updated?.payload).toMatchObject({
      object: { role_name: 'Admin' },
      old_object: { role_name: 'Member' },
    })
    expect(deleted?.event).toBe('user.deleted')
    for (const one of [created, updated, deleted])
      expect(one?.payload).not.toHaveProperty('operator')
  })

  test('a user whose email becomes verified by a domain is updated', async () => {
    const app = await serverSubscriber(users, managing)
    const accountId = server.accountId('Acme')
    const token = await server.token(app, {
      grant_type: 'account_credentials',
      account_id: accountId,
    })
    const domain = `${randomUUID()}.test`
    const email = `ada@${domain}`
    await server.callWith(String(token.body.access_token), '/v2/users', {
      method: 'POST',
      body: { action: 'create', user_info: { email, first_name: 'Ada', last_name: '', type: 1 } },
    })
    later()
    await declare(server, { accounts: [{ name: 'Acme', domains: [domain] }] })
    const [, verified] = await bodiesOf(app, 2)
    expect(verified?.payload).toMatchObject({
      object: { verified: 1, status: 'active' },
      old_object: { verified: 0, status: 'pending' },
    })
  })

  test('the apps of a user receive the removal of the user', async () => {
    const app = await subscriber(['user.deleted'], ['user:read:user'], { visibility: 'private' })
    const email = `${randomUUID()}@acme.test`
    const id = await addUser(server, email)
    await server.grantOf(app, { email })
    await removeUser(server, email)
    const [deleted] = await bodiesOf(app, 1)
    expect(deleted?.payload).toMatchObject({ object: { id, email } })
  })

  test('apps whose grant or own access reaches the host receive the event', async () => {
    const admin = { email: 'admin@acme.test' }
    const scopes = ['meeting:read:meeting:admin']
    const own = await subscriber(meetings, planning)
    const developed = await subscriber(meetings, planning, { visibility: 'development' })
    const accountWide = await subscriber(meetings, scopes, { level: 'account' })
    const classic = await subscriber(meetings, ['meeting:read'])
    const server2server = await serverSubscriber(meetings, scopes)
    await server.grantOf(own)
    await server.grantOf(own)
    await server.grantOf(developed.development)
    await server.grantOf(accountWide, admin)
    await server.grantOf(classic)
    await makeMeeting(server, member)
    for (const app of [own, developed, accountWide, classic, server2server]) {
      expect(await eventsOf(app)).toEqual(['meeting.created'])
    }
  })

  test('only a master scope of the owner or of a server reaches users of sub-accounts', async () => {
    const scopes = ['user:read:user:master']
    const [owner, admin] = [
      await subscriber(users, scopes, { level: 'account' }),
      await subscriber(users, managing, { level: 'account' }),
    ]
    for (const app of [owner, admin]) await server.grantOf(app, { email: 'owner@acme.test' })
    const master = await serverSubscriber(users, scopes)
    const accountOnly = await serverSubscriber(users, ['user:read:user:admin'])
    const accounts = [{ name: 'Acme', subAccounts: [{ name: 'Acme West', users: [newUser()] }] }]
    await declare(server, { accounts })
    for (const app of [owner, master]) expect(await eventsOf(app)).toEqual(['user.created'])
    for (const app of [admin, accountOnly]) expect(await eventsOf(app)).toEqual([])
  })

  test('apps that are not subscribed or disabled, or whose scopes do not reach the host, receive none', async () => {
    const scopes = ['meeting:read:meeting:admin']
    const allowedBy = async (email: string, app: Promise<HookedApp>) => {
      await server.grantOf(await app, { email })
      return await app
    }
    const admin = 'admin@acme.test'
    const boss = `${randomUUID()}@other.test`
    await addUser(server, boss, { account: 'Other', role: 'admin' })
    const apps = {
      'subscribes to another event': await allowedBy(
        member,
        subscriber(['meeting.ended'], planning),
      ),
      'has no scope for meetings': await allowedBy(
        member,
        subscriber(meetings, ['user:read:user']),
      ),
      'has the scopes of an admin at user level': await allowedBy(
        admin,
        subscriber(meetings, planning),
      ),
      'was allowed in another account': await allowedBy(
        boss,
        subscriber(meetings, scopes, { level: 'account' }),
      ),
      'was never allowed': await subscriber(meetings, planning),
      'was removed': await allowedBy(
        member,
        subscriber(meetings, planning, { visibility: 'private' }),
      ),
      'is disabled': await allowedBy(member, subscriber(meetings, planning)),
    }
    await server.removeApp(apps['was removed'].id, member)
    const { name } = apps['is disabled']
    await declare(server, { apps: [{ name, account: 'Acme', disabled: true }] })
    await makeMeeting(server, member)
    for (const [reason, app] of Object.entries(apps)) {
      expect([reason, await eventsOf(app)]).toEqual([reason, []])
    }
  })

  test('a change that is rolled back leaves no event', async () => {
    const app = await serverSubscriber(users, managing)
    const accounts = [{ name: 'Acme', users: [newUser()] }]
    const failing = declare(server, { accounts, apps: [serverApp('Lost', [], 'Nowhere')] })
    await expect(failing).rejects.toThrow('the account "Nowhere" does not exist')
    expect(await eventsOf(app)).toEqual([])
    await declare(server, { accounts })
    expect(await eventsOf(app)).toEqual(['user.created'])
  })
})

test('apps subscribe by the API and in the console, and other names are refused', async () => {
  const server = await startOAuthServer()
  const app = await hookApp(server, receiver)
  const path = `/v2/marketplace/apps/${app.id}`
  const token = await server.ownTokenOf('Manager', 'Acme')
  const update = (events: readonly string[]) =>
    server.callWith(token, path, { method: 'PATCH', body: { events } })
  expect((await update(['meeting.ended', 'user.created'])).body.events).toEqual([
    'meeting.ended',
    'user.created',
  ])
  const refused = await update(['meeting.begun'])
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('meeting.started')
  const session = await signIn(server, {
    email: 'owner@acme.test',
    password: 'correct horse battery',
  })
  const page = `/console/apps/${app.id}/webhooks`
  const html = await (await session.get(page)).text()
  const ticked = [...html.matchAll(/name="([a-z_.]+)"[^>]* checked/g)].map(([, name]) => name)
  expect(ticked).toEqual(['meeting.ended', 'user.created'])
  const form = { url: receiver.url(app.path), 'recording.completed': 'on' }
  await session.submit(html, page, form)
  expect((await server.callWith(token, path)).body.events).toEqual(['recording.completed'])
  const known = { name: app.name, account: 'Acme', type: 'general' } as const
  await declare(server, { apps: [{ ...known, events: eventNames }] })
  expect((await server.callWith(token, path)).body.events).toEqual(eventNames)
})
