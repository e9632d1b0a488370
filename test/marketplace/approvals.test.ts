import { listAppsByName } from '@skillpass/server/apps/store/apps'
import { describe, expect, test } from 'vitest'
import { startAppManagers, type Who } from '../support/app-managers.ts'
import { appOf, declare, password } from '../support/apps.ts'
import { asking, refusal } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { callWith, refused } from '../support/platform.ts'

const endpoints = {
  'GET /approvals': undefined,
  'PUT /approvals/{id}': { state: 'approved' },
  'GET /settings': undefined,
  'PATCH /settings': { require_app_approval: false },
} satisfies Record<string, object | undefined>

const careful = 'member@careful.test'

describe('approvals through the resource API', async () => {
  const scene = await startAppManagers()
  const { id } = appOf(scene.applied, 'Scheduler')
  const scheduler = scene.app('Scheduler')
  const decide = (state: string, who: Who = 'robot of another account', appId = id) =>
    scene.call(who, 'PUT', `/approvals/${encodeURIComponent(appId)}`, { state })
  const listed = async (query = '') => {
    const { body } = await scene.call('admin of another account', 'GET', `/approvals${query}`)
    const approvals = body.approvals as { app_name: string; state: string }[]
    return approvals.filter(({ app_name }) => !app_name.endsWith('manager'))
  }

  const may: Partial<Record<Who, number>> = {
    admin: 200,
    owner: 200,
    'owner with master scopes': 200,
    'admin robot': 200,
    'master robot': 200,
    'admin of another account': 200,
    'robot of another account': 200,
    member: 403,
    'admin as a user': 403,
    'own robot': 403,
  }
  describe.each(Object.entries(may))('%s', (who, status) => {
    test.each(Object.entries(endpoints))('%s', async (name, body) => {
      const [method = '', path = ''] = name.split(' ')
      const answer = await scene.call(who as Who, method, path.replace('{id}', id), body)
      expect(answer.status).toBe(status)
      if (status === 403) expect(answer.body.code).toBe(4711)
    })
  })

  test('a request is seen, approved, and seen as approved', async () => {
    const { id: appId } = appOf(scene.applied, 'Strict')
    expect(await listed('?state=requested')).toEqual([])
    await declare(scene, { accounts: [{ name: 'Careful', requireAppApproval: true }] })
    const session = await signIn(scene, { email: careful, password })
    const page = await session.get(
      `/oauth/authorize?${asking(scene.app('Strict'), { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' })}`,
    )
    await session.submit(await page.text(), '/oauth/approval/request')
    const asked = {
      app_id: appId,
      app_name: 'Strict',
      developer_name: 'Acme',
      scopes: ['user:read:user'],
      optional_scopes: [],
      state: 'requested',
      requested_by: careful,
      requested_at: new Date(scene.ctx.steadyNow()).toISOString(),
      decided_at: null,
    }
    expect(await listed('?state=requested')).toEqual([asked])
    scene.clock.advance(1000)
    const decided_at = new Date(scene.ctx.steadyNow()).toISOString()
    const approved = { ...asked, state: 'approved', decided_at }
    expect((await decide('approved', 'admin of another account', appId)).body).toEqual(approved)
    expect(await listed('?state=requested')).toEqual([])
    expect(await listed('?state=approved')).toContainEqual(approved)
    const row = await scene.ctx.db.read
      .selectFrom('approvals')
      .select('decided_by')
      .where('app_id', '=', appId)
      .executeTakeFirst()
    expect(row?.decided_by).toBe(scene.idOf('admin@careful.test'))
  })

  test('an account token decides as well, and no user stands for it', async () => {
    const { id: appId } = appOf(scene.applied, 'Pocket')
    expect((await decide('declined', 'robot of another account', appId)).body).toMatchObject({
      state: 'declined',
      requested_by: null,
      requested_at: null,
    })
    const row = await scene.ctx.db.read
      .selectFrom('approvals')
      .select(['decided_by', 'decided_at'])
      .where('app_id', '=', appId)
      .executeTakeFirst()
    expect(row).toEqual({ decided_by: null, decided_at: scene.ctx.steadyNow() })
  })

  test('what is approved cannot be declined: 409; what is no app is 404', async () => {
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

  test('refuses other states and fields: 300', async () => {
    expect(refused(await decide('requested'))).toBe('400 300 state')
    const path = `/approvals/${id}`
    const more = { state: 'approved', decided_by: 'x' }
    expect(refused(await scene.call('admin', 'PUT', path, more))).toBe('400 300 decided_by')
    expect(refused(await scene.call('admin', 'GET', '/approvals?state=new'))).toBe('400 300 state')
    expect(refused(await scene.call('admin', 'PATCH', '/settings', {}))).toBe(
      '400 300 require_app_approval',
    )
    const text = { require_app_approval: 'yes' }
    expect(refused(await scene.call('admin', 'PATCH', '/settings', text))).toBe(
      '400 300 require_app_approval',
    )
  })

  test('are listed in pages, by name, those of one state too; a token is good for its list', async () => {
    const names = ['Page a', 'Page b', 'Page c', 'Page d', 'Page e']
    await declare(scene, {
      apps: names.map((name) => ({ name, account: 'Acme', type: 'general' as const })),
    })
    for (const name of names) {
      const [app] = await listAppsByName(scene.ctx.db.read, name)
      await decide(name < 'Page d' ? 'declined' : 'approved', 'admin', app?.id)
    }
    const page = async (query: string) =>
      (await scene.call('admin', 'GET', `/approvals?${query}`)).body as {
        page_size: number
        next_page_token: string
        approvals: { app_name: string }[]
      }
    const whole = (await page('page_size=300')).approvals.map(({ app_name }) => app_name)
    const seen: string[] = []
    let token = ''
    do {
      const one = await page(`page_size=2&next_page_token=${token}`)
      expect(one.page_size).toBe(2)
      seen.push(...one.approvals.map(({ app_name }) => app_name))
      token = one.next_page_token
    } while (token !== '')
    expect(seen).toEqual(whole)
    expect(seen.filter((name) => name.startsWith('Page'))).toEqual(names)

    const declined = await page('state=declined&page_size=2')
    expect(declined.approvals.map(({ app_name }) => app_name)).toEqual(names.slice(0, 2))
    const next = declined.next_page_token
    const rest = await page(`state=declined&page_size=2&next_page_token=${next}`)
    expect(rest).toMatchObject({ next_page_token: '', approvals: [{ app_name: 'Page c' }] })
    for (const query of [`next_page_token=${next}`, 'next_page_token=x', 'page_size=301']) {
      const answer = await scene.call('admin', 'GET', `/approvals?${query}`)
      expect(refused(answer)).toMatch(/^400 300 (next_page_token|page_size)$/)
    }
  })

  test('a withdrawal ends the tokens of all users of the account, and of no other', async () => {
    await decide('approved')
    const elsewhere = await scene.grantOf(scheduler)
    const tokens = [
      await scene.grantOf(scheduler, { email: careful }),
      await scene.grantOf(scheduler, { email: 'admin@careful.test' }),
    ]
    expect((await decide('withdrawn')).body).toMatchObject({ state: 'withdrawn' })
    for (const { access_token, refresh_token } of tokens) {
      expect((await scene.me(access_token)).body.code).toBe(4741)
      expect(refusal(await scene.refresh(scheduler, refresh_token))).toBe('400 invalid_grant 4738')
    }
    expect((await scene.me(elsewhere.access_token)).status).toBe(200)
    await decide('approved')
    const again = await scene.grantOf(scheduler, { email: careful })
    expect((await scene.me(again.access_token)).status).toBe(200)
    expect((await scene.me(tokens[0]?.access_token)).body.code).toBe(4741)
  })

  test('the setting decides whether an app needs an approval', async () => {
    const opened = async () => {
      const session = await signIn(scene, { email: 'member@testAccounts.test', password })
      return (await session.get(`/oauth/authorize?${asking(scene.app('Stranger'))}`)).status
    }
    const set = async (value: boolean) => {
      const body = { require_app_approval: value }
      expect((await scene.call('admin', 'PATCH', '/settings', body)).body).toEqual(body)
      expect((await scene.call('admin', 'GET', '/settings')).body).toEqual(body)
    }
    expect(await opened()).toBe(200)
    await set(true)
    expect(await opened()).toBe(403)
    await set(false)
    expect(await opened()).toBe(200)
    const body = { require_app_approval: true }
    expect((await scene.call('robot of another account', 'GET', '/settings')).body).toEqual(body)
  })

  test('a demoted admin decides on nothing, whatever the token says', async () => {
    const email = 'former@testAccounts.test'
    const person = (role: 'admin' | 'member') =>
      declare(scene, { accounts: [{ name: 'Acme', users: [{ email, password, role }] }] })
    await person('admin')
    const accessToken = await scene.tokenFor('Admin manager', email)
    const call = async (name: string, body?: object) => {
      const [method = '', path = ''] = name.split(' ')
      const whole = `/v2/marketplace${path.replace('{id}', id)}`
      const { status, body: answer } = await callWith(scene, accessToken, whole, { method, body })
      return { status, code: answer.code }
    }
    for (const [name, body] of Object.entries(endpoints)) {
      expect([name, (await call(name, body)).status]).toEqual([name, 200])
    }
    await person('member')
    for (const [name, body] of Object.entries(endpoints)) {
      expect([name, await call(name, body)]).toEqual([name, { status: 403, code: 4711 }])
    }
  })
})
