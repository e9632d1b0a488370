import { expect, test } from 'vitest'
import { startAppManagers, type Who } from '../../support/app-managers.ts'
import { callback, declare, password } from '../../support/apps.ts'
import { signIn } from '../../support/people.ts'
import { refused } from '../../support/platform.ts'
import { consentQuery } from '../unregistered-clients.ts'

const endpoints = {
  'GET /approvals': undefined,
  'PUT /approvals/{id}': { state: 'approved' },
  'GET /settings': undefined,
  'PATCH /settings': { require_app_approval: false },
} satisfies Record<string, object | undefined>

const careful = 'member@careful.test'

const server = await startAppManagers()
const id = server.appId('Scheduler')
const decide = (state: string, who: Who = 'robot of another account', appId = id) =>
  server.call(who, 'PUT', `/approvals/${encodeURIComponent(appId)}`, { state })
const listed = async (query = '') => {
  const { body } = await server.call('admin of another account', 'GET', `/approvals${query}`)
  const approvals = body.approvals as { app_name: string; state: string }[]
  return approvals.filter(({ app_name }) => !app_name.endsWith('manager'))
}

const rowOf = (appId: string) =>
  server.ctx.db.read
    .selectFrom('approvals')
    .select(['decided_by', 'decided_at'])
    .where('app_id', '=', appId)
    .executeTakeFirst()

const may: Partial<Record<Who, number>> = {
  admin: 200,
  owner: 200,
  'admin robot': 200,
  'robot of another account': 200,
  member: 403,
  'admin as a user': 403,
  'own robot': 403,
}
test.each(Object.entries(may))('the %s gets %i from approval endpoints', async (who, status) => {
  for (const [name, body] of Object.entries(endpoints)) {
    const [method = '', path = ''] = name.split(' ')
    const answer = await server.call(who as Who, method, path.replace('{id}', id), body)
    expect([name, answer.status]).toEqual([name, status])
    if (status === 403) expect(answer.body.code).toBe(4711)
  }
})

test('unknown states and fields of approvals and settings are refused with 300', async () => {
  expect(refused(await decide('requested'))).toBe('400 300 state')
  const path = `/approvals/${id}`
  const more = { state: 'approved', decided_by: 'x' }
  expect(refused(await server.call('admin', 'PUT', path, more))).toBe('400 300 decided_by')
  expect(refused(await server.call('admin', 'GET', '/approvals?state=new'))).toBe('400 300 state')
  for (const body of [{}, { require_app_approval: 'yes' }]) {
    const answer = await server.call('admin', 'PATCH', '/settings', body)
    expect(refused(answer)).toBe('400 300 require_app_approval')
  }
})

test('a request for approval is listed, approved, and listed as approved', async () => {
  const appId = server.appId('Strict')
  expect(await listed('?state=requested')).toEqual([])
  await declare(server, { accounts: [{ name: 'Careful', requireAppApproval: true }] })
  const session = await signIn(server, { email: careful, password })
  const page = await session.get(
    `/oauth/authorize?${consentQuery(server.app('Strict').clientId, { redirect_uri: callback })}`,
  )
  await session.submit(await page.text(), '/oauth/approval/request')
  const asked = {
    app_id: appId,
    app_name: 'Strict',
    developer_name: 'Acme',
    scopes: ['user:read:user'],
    optional_scopes: [],
    approved: null,
    state: 'requested',
    requested_by: careful,
    requested_at: new Date(server.ctx.steadyNow()).toISOString(),
    decided_at: null,
  }
  expect(await listed('?state=requested')).toEqual([asked])
  server.clock.advance(1000)
  const decided_at = new Date(server.ctx.steadyNow()).toISOString()
  const seen = { app_name: 'Strict', scopes: ['user:read:user'] }
  const approved = { ...asked, approved: seen, state: 'approved', decided_at }
  expect((await decide('approved', 'admin of another account', appId)).body).toEqual(approved)
  expect(await listed('?state=requested')).toEqual([])
  expect(await listed('?state=approved')).toContainEqual(approved)
  expect((await rowOf(appId))?.decided_by).toBe(server.idOf('admin@careful.test'))
})

test('an account token can decide on approvals, and no user is recorded', async () => {
  const appId = server.appId('Pocket')
  expect((await decide('declined', 'robot of another account', appId)).body).toMatchObject({
    state: 'declined',
    requested_by: null,
    requested_at: null,
  })
  const decided_at = server.ctx.steadyNow()
  expect(await rowOf(appId)).toEqual({ decided_by: null, decided_at })
})

test('declining an approved app is refused with 409, and an unknown app with 404', async () => {
  await decide('approved')
  const declined = await decide('declined')
  expect([refused(declined), declined.body.message]).toEqual([
    '409 409',
    'This app is approved. Withdraw the approval instead.',
  ])
  for (const appId of ['none', 'a\0b']) {
    for (const state of ['approved', 'declined', 'withdrawn']) {
      const answer = await decide(state, 'robot of another account', appId)
      expect([answer.status, answer.body.message]).toEqual([404, 'App does not exist.'])
    }
  }
})

test("the setting require_app_approval changes only for the caller's account", async () => {
  const set = async (value: boolean) => {
    const body = { require_app_approval: value }
    expect((await server.call('admin', 'PATCH', '/settings', body)).body).toEqual(body)
    expect((await server.call('admin', 'GET', '/settings')).body).toEqual(body)
  }
  for (const value of [true, false]) await set(value)
  const body = { require_app_approval: true }
  expect((await server.call('robot of another account', 'GET', '/settings')).body).toEqual(body)
})
