import { expect, test } from 'vitest'
import { startAppManagers, type Who } from '../../support/app-managers.ts'
import { addUser, declare } from '../../support/apps.ts'
import { refused } from '../../support/platform.ts'

/** Every endpoint for one app, with its response to those who may call it. */
const endpoints = {
  'GET /apps/{id}': [200],
  'PATCH /apps/{id}': [200, { device_flow: false }],
  'POST /apps/{id}/rotate_client_secret': [200, { environment: 'development' }],
  'POST /apps/{id}/rotate_secret_token': [200, {}],
  'GET /apps/{id}/migration?environment=development': [200],
  // It has no classic scopes.
  'POST /apps/{id}/migration': [409, { environment: 'development' }],
  // It has no endpoint.
  'POST /apps/{id}/validate_endpoint': [400, {}],
  'GET /apps/{id}/deliveries': [200],
  // The delivery does not exist.
  'POST /apps/{id}/deliveries/none/redeliver': [404, {}],
} as const satisfies Record<string, [status: number, body?: object]>

/** The creator of the app of Acme: the member, the admin, or the operator in a declaration. */
const makers = ['member', 'admin', 'operator'] as const
type Maker = (typeof makers)[number]

/** The apps that each user manages, by creator. */
const reach: Record<Who, readonly Maker[]> = {
  member: ['member'],
  second: [],
  'admin as a user': ['admin'],
  admin: makers,
  owner: makers,
  'owner with master scopes': makers,
  'own robot': [],
  'admin robot': makers,
  'master robot': makers,
  'empty robot': [],
  'empty admin robot': [],
  'member of another account': [],
  'admin of another account': [],
  'robot of another account': [],
}

const everybody = Object.keys(reach) as Who[]
const missing = '404 App does not exist.'

const server = await startAppManagers()
const { apps } = await declare(server, {
  apps: [{ name: 'Declared', account: 'Acme', type: 'general' }],
})
const ids: Record<Maker, string> = {
  member: (await server.register('member')).id,
  admin: (await server.register('admin')).id,
  operator: apps[0]?.id ?? '',
}

test.each(everybody)('the %s can call each endpoint only for apps they manage', async (who) => {
  const found: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const [name, [status, body]] of Object.entries(endpoints)) {
    const [method = '', path = ''] = name.split(' ')
    for (const maker of makers) {
      const answer = await server.call(who, method, path.replace('{id}', ids[maker]), body)
      const whole = `${answer.status} ${answer.body.message}`
      expected[`${name} of ${maker}`] = reach[who].includes(maker) ? `${status}` : missing
      found[`${name} of ${maker}`] = whole === missing ? missing : `${answer.status}`
    }
  }
  expect(found).toEqual(expected)
})

test("another user's app gets the same error as an app that does not exist", async () => {
  const of = (id: string) => server.call('second', 'GET', `/apps/${encodeURIComponent(id)}`)
  const foreign = await of(ids.member)
  expect([foreign.status, foreign.body]).toEqual([
    404,
    { code: 404, message: 'App does not exist.' },
  ])
  for (const id of ['none', 'a\0b']) {
    expect((await of(id)).text).toBe(foreign.text)
  }
})

test("an app belongs to its creator, or to the account's acting owner if an account token creates it", async () => {
  const owners: Partial<Record<Who, string>> = {
    member: server.idOf('member@acme.test'),
    admin: server.idOf('admin@acme.test'),
    'own robot': server.idOf('owner@acme.test'),
    'admin robot': server.idOf('owner@acme.test'),
  }
  for (const [who, owner] of Object.entries(owners)) {
    const made = await server.register(who as Who)
    expect([who, made.created_by]).toEqual([who, owner])
  }
})

const type = 'server-to-server'
let count = 0
const register = async (who: Who, scopes: string[]) => {
  const name = `Machine ${++count}`
  const body = { name, type, production: { scopes } }
  const { status } = await server.call(who, 'POST', '/apps', body)
  return status
}

test('only users who manage all apps of the account can create a server-to-server app', async () => {
  const scopes = ['marketplace:read:app:admin']
  for (const who of ['admin', 'owner', 'admin robot', 'master robot'] as const) {
    expect([who, await register(who, scopes)]).toEqual([who, 201])
  }
  for (const who of ['member', 'admin as a user', 'own robot'] as const) {
    expect([who, await register(who, [])]).toEqual([who, 403])
  }
})

test('only the owner can create and change a server-to-server app with master scopes', async () => {
  const scopes = ['marketplace:read:app:master']
  for (const who of ['owner with master scopes', 'master robot'] as const) {
    expect([who, await register(who, scopes)]).toEqual([who, 201])
  }
  for (const who of ['admin', 'admin robot', 'owner'] as const) {
    expect([who, await register(who, scopes)]).toEqual([who, 403])
  }
  const made = await server.register('master robot', { type, development: { scopes } })
  for (const [method, path, body] of [
    ['PATCH', '', { development: { scopes: [] } }],
    ['POST', '/rotate_client_secret', { environment: 'production' }],
    ['POST', '/rotate_secret_token', {}],
  ] as const) {
    const answer = await server.call('admin', method, `/apps/${made.id}${path}`, body)
    expect(refused(answer)).toBe('403 4711')
  }
  expect((await server.call('admin', 'GET', `/apps/${made.id}`)).status).toBe(200)
  const plain = await server.register('admin', { type })
  const grown = await server.call('admin', 'PATCH', `/apps/${plain.id}`, { production: { scopes } })
  expect(refused(grown)).toBe('403 4711')
})

test('a token cannot give a server-to-server app more scopes than it has, or rotate its secrets', async () => {
  const wide = ['marketplace:read:app:admin', 'user:read:user:admin', 'meeting:write:meeting']
  const lacking = `does not contain scopes:[${wide.slice(1).join(', ')}]`
  const { apps } = await declare(server, {
    apps: [{ name: 'Wide', account: 'Acme', type, scopes: wide }],
  })
  const path = `/apps/${apps[0]?.id}`
  const own = { production: { scopes: ['marketplace:read:app:admin'] } }
  const rotate = { environment: 'development' }
  for (const who of ['admin', 'admin robot', 'master robot'] as const) {
    const narrow = (await server.register(who, { type })).id
    const both = { development: { scopes: wide }, production: { scopes: wide } }
    for (const answer of [
      await server.call(who, 'POST', '/apps', { name: `By ${who}`, type, ...both }),
      await server.call(who, 'PATCH', `/apps/${narrow}`, both),
      await server.call(who, 'PATCH', path, both),
      await server.call(who, 'PATCH', path, own),
      await server.call(who, 'POST', `${path}/rotate_client_secret`, rotate),
    ]) {
      expect([who, refused(answer)]).toEqual([who, '403 4711'])
      expect(answer.body.message).toContain(lacking)
    }
    expect((await server.call(who, 'PATCH', `/apps/${narrow}`, own)).status).toBe(200)
    // Other settings can be changed.
    expect((await server.call(who, 'PATCH', path, { visibility: 'development' })).status).toBe(200)
  }
})

test('a creator who is no longer an admin cannot rotate the secrets of a server-to-server app', async () => {
  const email = 'former@acme.test'
  await addUser(server, email, { role: 'admin' })
  const former = await server.tokenFor('Admin manager', email)
  const own = await server.tokenFor('Own manager', email)
  const call = (token: string, method: string, path: string, body?: object) =>
    server.callWith(token, `/v2/marketplace/apps${path}`, { method, body })
  const made = await call(former, 'POST', '', { name: 'Left behind', type })
  expect(made.status).toBe(201)
  await addUser(server, email, { role: 'member' })
  const { id } = made.body
  for (const token of [former, own]) {
    expect((await call(token, 'GET', `/${id}`)).status).toBe(200)
    const rotate = { environment: 'production' }
    for (const answer of [
      await call(token, 'POST', `/${id}/rotate_client_secret`, rotate),
      await call(token, 'PATCH', `/${id}`, { production: { scopes: ['user:read:user:admin'] } }),
      await call(token, 'POST', `/${id}/migration`, rotate),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 4711])
    }
  }
  // Its admin scopes now give access only to the user's own apps.
  expect((await call(former, 'GET', `/${ids.member}`)).status).toBe(404)
})
