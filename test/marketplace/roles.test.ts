import { beforeAll, describe, expect, test } from 'vitest'
import { type AppManagers, startAppManagers, type Who } from '../support/app-managers.ts'
import { declare } from '../support/apps.ts'
import { callWith, refused } from '../support/platform.ts'

/** Every endpoint about one app, with what it answers those who may. */
const endpoints = {
  'GET /apps/{id}': [200],
  'PATCH /apps/{id}': [200, { device_flow: false }],
  'POST /apps/{id}/rotate_client_secret': [200, { environment: 'development' }],
  'POST /apps/{id}/rotate_secret_token': [200, {}],
  'GET /apps/{id}/migration?environment=development': [200],
  // There is nothing classic in it.
  'POST /apps/{id}/migration': [409, { environment: 'development' }],
  // It has no endpoint.
  'POST /apps/{id}/validate_endpoint': [400, {}],
  'GET /apps/{id}/deliveries': [200],
  // It has no such delivery.
  'POST /apps/{id}/deliveries/none/redeliver': [404, {}],
} as const satisfies Record<string, [status: number, body?: object]>

/** Who manages which app of Acme: one that the member made, the admin made, or the operator declared. */
const reach: Record<Who, { member: boolean; admin: boolean; operator: boolean }> = {
  member: { member: true, admin: false, operator: false },
  second: { member: false, admin: false, operator: false },
  'admin as a user': { member: false, admin: true, operator: false },
  admin: { member: true, admin: true, operator: true },
  owner: { member: true, admin: true, operator: true },
  'owner with master scopes': { member: true, admin: true, operator: true },
  'own robot': { member: false, admin: false, operator: false },
  'admin robot': { member: true, admin: true, operator: true },
  'master robot': { member: true, admin: true, operator: true },
  'empty robot': { member: false, admin: false, operator: false },
  'empty admin robot': { member: false, admin: false, operator: false },
  'member of another account': { member: false, admin: false, operator: false },
  'admin of another account': { member: false, admin: false, operator: false },
  'robot of another account': { member: false, admin: false, operator: false },
}

const everybody = Object.keys(reach) as Who[]

describe('who manages which app', async () => {
  const scene: AppManagers = await startAppManagers()
  const ids = { member: '', admin: '', operator: '' }
  beforeAll(async () => {
    ids.member = (await scene.register('member')).id
    ids.admin = (await scene.register('admin')).id
    const { apps } = await declare(scene, {
      apps: [{ name: 'Declared', account: 'Acme', type: 'general' }],
    })
    ids.operator = apps[0]?.id ?? ''
  })

  describe.each(everybody)('%s', (who) => {
    test.each(Object.entries(endpoints))('%s', async (name, [status, body]) => {
      const [method = '', path = ''] = name.split(' ')
      const found: Record<string, string> = {}
      const expected: Record<string, string> = {}
      for (const [maker, id] of Object.entries(ids)) {
        const answer = await scene.call(who, method, path.replace('{id}', id), body)
        const isMine = reach[who][maker as keyof typeof ids]
        expected[maker] = isMine ? `${status}` : '404 App does not exist.'
        found[maker] =
          answer.status === 404 && answer.body.message === 'App does not exist.'
            ? '404 App does not exist.'
            : `${answer.status}`
      }
      expect(found).toEqual(expected)
    })
  })

  test('what is not theirs answers as what does not exist does', async () => {
    const of = (id: string) => scene.call('second', 'GET', `/apps/${encodeURIComponent(id)}`)
    const foreign = await of(ids.member)
    expect([foreign.status, foreign.body]).toEqual([
      404,
      { code: 404, message: 'App does not exist.' },
    ])
    for (const id of ['none', 'a\0b', '\u{1f9e9}', "' or 1=1 --", 'x'.repeat(2000)]) {
      expect((await of(id)).text).toBe(foreign.text)
    }
  })

  test('an app is its maker’s: for an account token the head of the account’s', async () => {
    const makers: Partial<Record<Who, string | null>> = {
      member: scene.idOf('member@testAccounts.test'),
      admin: scene.idOf('admin@testAccounts.test'),
      'own robot': scene.idOf('owner@testAccounts.test'),
      'admin robot': scene.idOf('owner@testAccounts.test'),
    }
    for (const [who, maker] of Object.entries(makers)) {
      const made = await scene.register(who as Who)
      expect([who, made.created_by]).toEqual([who, maker])
    }
  })

  test('a list has exactly what its reader manages', async () => {
    for (const who of everybody) {
      const { apps = [] } = (await scene.call(who, 'GET', '/apps?page_size=300')).body
      const listed = (apps as { id: string }[]).map(({ id }) => id)
      const { member, admin, operator } = reach[who]
      expect([who, ...Object.values(ids).map((id) => listed.includes(id))]).toEqual([
        ...[who, member, admin, operator],
      ])
    }
  })

  describe('a server-to-server app, which acts for the account without consent', () => {
    const type = 'server-to-server'
    let count = 0
    const register = async (who: Who, scopes: string[]) => {
      const name = `Machine ${++count}`
      const body = { name, type, production: { scopes } }
      const { status } = await scene.call(who, 'POST', '/apps', body)
      return status
    }

    test('is made by those who manage all of the account', async () => {
      const scopes = ['marketplace:read:app:admin']
      for (const who of ['admin', 'owner', 'admin robot', 'master robot'] as const) {
        expect([who, await register(who, scopes)]).toEqual([who, 201])
      }
      for (const who of ['member', 'admin as a user', 'own robot'] as const) {
        expect([who, await register(who, [])]).toEqual([who, 403])
      }
    })

    test('with master scopes is made and changed by the owner alone', async () => {
      const scopes = ['marketplace:read:app:master']
      for (const who of ['owner with master scopes', 'master robot'] as const) {
        expect([who, await register(who, scopes)]).toEqual([who, 201])
      }
      for (const who of ['admin', 'admin robot', 'owner'] as const) {
        expect([who, await register(who, scopes)]).toEqual([who, 403])
      }
      const made = await scene.register('master robot', { type, development: { scopes } })
      for (const [method, path, body] of [
        ['PATCH', '', { development: { scopes: [] } }],
        ['POST', '/rotate_client_secret', { environment: 'production' }],
        ['POST', '/rotate_secret_token', {}],
      ] as const) {
        const answer = await scene.call('admin', method, `/apps/${made.id}${path}`, body)
        expect(refused(answer)).toBe('403 4711')
      }
      expect((await scene.call('admin', 'GET', `/apps/${made.id}`)).status).toBe(200)
      const plain = await scene.register('admin', { type })
      const grown = await scene.call('admin', 'PATCH', `/apps/${plain.id}`, {
        production: { scopes },
      })
      expect(refused(grown)).toBe('403 4711')
    })

    test('is given by a token no scope that the token lacks, and is not taken over by it', async () => {
      const wide = ['marketplace:read:app:admin', 'user:read:user:admin', 'meeting:write:meeting']
      const lacking = `does not contain scopes:[${wide.slice(1).join(', ')}]`
      const { apps } = await declare(scene, {
        apps: [{ name: 'Wide', account: 'Acme', type, scopes: wide }],
      })
      const path = `/apps/${apps[0]?.id}`
      const own = { production: { scopes: ['marketplace:read:app:admin'] } }
      for (const who of ['admin', 'admin robot', 'master robot'] as const) {
        const narrow = (await scene.register(who, { type })).id
        const both = { development: { scopes: wide }, production: { scopes: wide } }
        for (const answer of [
          await scene.call(who, 'POST', '/apps', { name: `By ${who}`, type, ...both }),
          await scene.call(who, 'PATCH', `/apps/${narrow}`, both),
          await scene.call(who, 'PATCH', path, both),
          await scene.call(who, 'PATCH', path, own),
          await scene.call(who, 'POST', `${path}/rotate_client_secret`, {
            environment: 'development',
          }),
        ]) {
          expect([who, refused(answer)]).toEqual([who, '403 4711'])
          expect(answer.body.message).toContain(lacking)
        }
        expect((await scene.call(who, 'PATCH', `/apps/${narrow}`, own)).status).toBe(200)
        // Without its scopes it can be looked after still.
        expect((await scene.call(who, 'PATCH', path, { visibility: 'development' })).status).toBe(
          200,
        )
      }
    })

    test('gives no secret to a maker who is no admin any more', async () => {
      const email = 'former@testAccounts.test'
      const password = 'correct horse battery'
      const person = (role: 'admin' | 'member') =>
        declare(scene, { accounts: [{ name: 'Acme', users: [{ email, password, role }] }] })
      await person('admin')
      const former = await scene.tokenFor('Admin manager', email)
      const own = await scene.tokenFor('Own manager', email)
      const call = (token: string, method: string, path: string, body?: object) =>
        callWith(scene, token, `/v2/marketplace/apps${path}`, { method, body })
      const made = await call(former, 'POST', '', { name: 'Left behind', type })
      expect(made.status).toBe(201)
      await person('member')
      const { id } = made.body
      for (const token of [former, own]) {
        expect((await call(token, 'GET', `/${id}`)).status).toBe(200)
        const rotate = { environment: 'production' }
        for (const answer of [
          await call(token, 'POST', `/${id}/rotate_client_secret`, rotate),
          await call(token, 'PATCH', `/${id}`, {
            production: { scopes: ['user:read:user:admin'] },
          }),
          await call(token, 'POST', `/${id}/migration`, rotate),
        ]) {
          expect([answer.status, answer.body.code]).toEqual([403, 4711])
        }
      }
      // A token with admin scopes opens no more than the own apps now.
      expect((await call(former, 'GET', `/${ids.member}`)).status).toBe(404)
    })
  })
})
