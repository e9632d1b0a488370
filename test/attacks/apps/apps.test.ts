import { listAudit } from '@skillpass/server/audit/list'
import { describe, expect, test } from 'vitest'
import { startAppManagers, type Who } from '../../support/app-managers.ts'
import {
  accountOf,
  appOf,
  credentialsOf,
  declare,
  generalApp,
  password,
} from '../../support/apps.ts'
import { asking, refusal, tokensOf } from '../../support/oauth-server.ts'
import { signIn } from '../../support/people.ts'
import { callWith, refused } from '../../support/platform.ts'

const both = (suffix = '') => [`marketplace:read:app${suffix}`, `marketplace:write:app${suffix}`]

describe('what members and apps do against admins', async () => {
  const scene = await startAppManagers({
    env: { RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0' },
  })
  const email = 'member@testAccounts.test'
  const audit = async () => {
    const entries = await listAudit({ db: scene.ctx.db }, { limit: 10_000 })
    return entries.filter(({ action }) => action !== 'sign-in')
  }
  const added = async (act: () => Promise<unknown>) => {
    const before = new Set((await audit()).map(({ id }) => id))
    scene.clock.advance(1)
    await act()
    return (await audit()).filter(({ id }) => !before.has(id))
  }
  const accountToken = async (app: { clientId: string; clientSecret: string }, id: string) =>
    tokensOf(await scene.token(app, { grant_type: 'account_credentials', account_id: id }))
      .access_token
  const acmeId = accountOf(scene.applied, 'Acme').id
  const stranger = scene.app('Stranger')
  const strangerId = appOf(scene.applied, 'Stranger').id
  const ruling = (state: string) =>
    scene.call('admin', 'PUT', `/approvals/${strangerId}`, { state })
  const shown = async () => {
    const { body } = await scene.call('admin', 'GET', '/approvals?state=requested')
    return (body.approvals as { app_name: string }[]).map(({ app_name }) => app_name)
  }

  test.each(['withdrawn', 'declined'])(
    'an app that was %s stays shut, whoever asks for it, until an admin approves it',
    async (state) => {
      if (state === 'withdrawn') await ruling('approved')
      const tokens = await scene.grantOf(stranger, { email })
      expect((await ruling(state)).status).toBe(200)
      expect(refusal(await scene.refresh(stranger, tokens.refresh_token))).toBe(
        '400 invalid_grant 4738',
      )
      expect((await scene.me(tokens.access_token)).status).toBe(401)
      const session = await signIn(scene, { email, password })
      const path = `/oauth/authorize?${asking(stranger)}`
      const page = await (await session.get(path)).text()
      const found = await added(() => session.submit(page, '/oauth/approval/request'))
      expect(found).toMatchObject([
        {
          action: 'approval.requested',
          who: scene.idOf(email),
          whom: strangerId,
          accountId: acmeId,
          network: '127.0.0.0/24',
        },
      ])
      expect(await shown()).toContain('Stranger')
      expect((await session.get(path)).status).toBe(403)
      await expect(scene.codeOf(stranger, { email })).rejects.toThrow()
      const device = await scene.post('/oauth/devicecode', {}, { app: stranger })
      const { decided } = await scene.decide(device.body.user_code, { email })
      expect(decided).toBe('denied')
      // Asking again changes nothing and leaves no entry.
      expect(await added(() => session.submit(page, '/oauth/approval/request'))).toEqual([])
      await ruling('declined')
      expect(await shown()).not.toContain('Stranger')
      expect((await session.get(path)).status).toBe(403)
      await ruling('approved')
      expect((await session.get(path)).status).toBe(200)
      await ruling('withdrawn')
      // For the next round it starts anew.
      await scene.ctx.db.write((trx) =>
        trx.deleteFrom('approvals').where('app_id', '=', strangerId).execute(),
      )
    },
  )

  test('a file that is applied again leaves an admin’s no as it is, and says so', async () => {
    const file = { accounts: [{ name: 'Acme', approvedApps: ['Stranger'] }] }
    const first = await added(() => declare(scene, file))
    expect(first.map(({ action }) => action).sort()).toEqual([
      'approval.approved',
      'operator.apply',
    ])
    expect(first.find(({ action }) => action === 'approval.approved')).toMatchObject({
      whoKind: 'operator',
      whom: strangerId,
      accountId: acmeId,
      network: null,
    })
    await ruling('withdrawn')
    const again = await declare(scene, file)
    expect(again.warnings).toEqual([
      '"Stranger" stays withdrawn for "Acme": an admin of the account can approve it at /my/approvals',
    ])
    await expect(scene.codeOf(stranger, { email })).rejects.toThrow()
    await ruling('approved')
    expect((await declare(scene, file)).warnings).toEqual([])
  })

  test('an act of an app is the account’s in the log, and nobody’s by name', async () => {
    const by = { whoKind: 'account', who: acmeId, accountId: acmeId }
    let id = ''
    const register = async () => {
      id = (await scene.register('admin robot')).id
    }
    expect(await added(register)).toMatchObject([{ action: 'app.registered', ...by }])
    const rotate = (path: string, body?: object) => () =>
      scene.call('admin robot', 'POST', `/apps/${id}/${path}`, body)
    const rotations = [
      rotate('rotate_client_secret', { environment: 'production' }),
      rotate('rotate_secret_token'),
    ]
    for (const act of rotations) expect(await added(act)).toMatchObject([by])
  })

  test('a member’s token makes and takes over no chatbot, an admin’s does', async () => {
    const made = await scene.call('member', 'POST', '/apps', { name: 'Loud', type: 'chatbot' })
    expect(refused(made)).toBe('403 4711')
    expect(made.body.message).toContain('admin scope')
    const { id, production } = await scene.register('admin', { type: 'chatbot' })
    const bot = { clientId: production.client_id, clientSecret: production.client_secret }
    expect((await scene.token(bot, { grant_type: 'client_credentials' })).status).toBe(200)
    const path = `/apps/${id}/rotate_client_secret`
    const rotate = await scene.call('member', 'POST', path, { environment: 'production' })
    expect(rotate.status).toBe(404)
  })

  test('master scopes rule the sub-accounts, not the account that has them', async () => {
    const applied = await declare(scene, {
      apps: [
        {
          name: 'Master only',
          account: 'Acme',
          type: 'server-to-server',
          scopes: [...both(':master'), 'user:read:list_users:master'],
        },
      ],
    })
    const app = credentialsOf(applied, 'Master only')
    const west = accountOf(scene.applied, 'Acme West').id
    const own = await accountToken(app, acmeId)
    const below = await accountToken(app, west)
    const calls: [string, string, object?][] = [
      ['GET', '/v2/users'],
      ['GET', '/v2/marketplace/apps'],
      ['GET', '/v2/marketplace/approvals'],
      ['GET', '/v2/marketplace/settings'],
      ['PATCH', '/v2/marketplace/settings', { require_app_approval: false }],
      ['PUT', `/v2/marketplace/approvals/${strangerId}`, { state: 'approved' }],
      ['POST', '/v2/marketplace/apps', { name: 'By master', type: 'general' }],
    ]
    for (const [method, path, body] of calls) {
      const [mine, theirs] = [
        await callWith(scene, own, path, { method, body }),
        await callWith(scene, below, path, { method, body }),
      ]
      expect([method, path, refused(mine)]).toEqual([method, path, '403 4711'])
      expect([method, path, theirs.status < 300]).toEqual([method, path, true])
    }
  })

  test('an app that an admin has disabled is not the member’s to enable', async () => {
    const disable = (who: Who, id: string, disabled: boolean) =>
      scene.call(who, 'PATCH', `/apps/${id}`, { disabled })
    const { id } = await scene.register('member')
    expect((await disable('admin', id, true)).status).toBe(200)
    const refusedly = await disable('member', id, false)
    expect([refusedly.status, refusedly.body.message]).toEqual([
      409,
      'An admin has disabled this app. Ask an admin to enable it.',
    ])
    expect((await disable('owner', id, false)).body.disabled).toBe(false)
    // The member's own word is the member's to take back, unless an admin has said the same.
    await disable('member', id, true)
    expect((await disable('member', id, false)).status).toBe(200)
    await disable('member', id, true)
    await disable('admin', id, true)
    expect((await disable('member', id, false)).status).toBe(409)
  })

  test('changes of apps and settings are in the log by the names of fields, without values', async () => {
    const who = scene.idOf('admin@testAccounts.test')
    const { id } = await scene.register('admin')
    const patch = (body: object) => () => scene.call('admin', 'PATCH', `/apps/${id}`, body)
    const by = { who, whom: id, accountId: acmeId, network: '127.0.0.0/24' }
    const uris = { redirect_uris: ['https://attacker.example/callback'] }
    const changed = await added(
      patch({ production: uris, deauthorization_url: 'https://attacker.example/hook' }),
    )
    const note = 'deauthorization_url, production.redirect_uris'
    expect(changed).toMatchObject([{ action: 'app.changed', note, ...by }])
    expect(JSON.stringify(changed)).not.toContain('attacker')
    expect(await added(patch({ production: uris }))).toEqual([])
    for (const disabled of [true, false]) {
      const action = disabled ? 'app.disabled' : 'app.enabled'
      expect(await added(patch({ disabled }))).toMatchObject([{ action, ...by }])
      expect(await added(patch({ disabled }))).toEqual([])
    }
    for (const required of [true, false]) {
      const set = () =>
        scene.call('admin', 'PATCH', '/settings', { require_app_approval: required })
      const action = `approval-setting.${required ? 'enabled' : 'disabled'}`
      expect(await added(set)).toMatchObject([{ action, who, accountId: acmeId }])
      expect(await added(set)).toEqual([])
    }
  })

  test('an app that becomes private is refused what other accounts’ users allowed before', async () => {
    const name = 'Leaving'
    const applied = await declare(scene, {
      apps: [generalApp(name, ['user:read:user'], { account: 'Other', deviceFlow: true })],
    })
    const app = credentialsOf(applied, name)
    const of = (visibility: 'private' | 'public') =>
      declare(scene, { apps: [{ name, account: 'Other', visibility }] })
    const tokens = await scene.grantOf(app, { email })
    const own = await scene.grantOf(app, { email: 'member@other.test' })
    const code = await scene.codeOf(app, { email })
    const device = await scene.post('/oauth/devicecode', {}, { app })
    expect((await scene.decide(device.body.user_code, { email })).decided).toBe('allowed')
    await of('private')
    for (const answer of [
      await scene.refresh(app, tokens.refresh_token),
      await scene.exchange(app, code),
      await scene.poll(app, device.body.device_code),
    ]) {
      expect(refusal(answer)).toBe('400 invalid_grant')
    }
    expect((await scene.refresh(app, own.refresh_token)).status).toBe(200)
    // Nothing was used up.
    await of('public')
    expect((await scene.refresh(app, tokens.refresh_token)).status).toBe(200)
    expect((await scene.exchange(app, code)).status).toBe(200)
    expect((await scene.poll(app, device.body.device_code)).status).toBe(200)
  })
})
