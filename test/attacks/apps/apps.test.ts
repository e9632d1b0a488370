import { expect, test } from 'vitest'
import { startAppManagers, type Who } from '../../support/app-managers.ts'
import {
  accountOf,
  appOf,
  credentialsOf,
  declare,
  generalApp,
  password,
} from '../../support/apps.ts'
import { addedBy } from '../../support/audit.ts'
import { opensAsHost } from '../../support/meetings.ts'
import { accountToken, authorizeQuery, refusal, tokensOf } from '../../support/oauth-server.ts'
import { signIn } from '../../support/people.ts'
import { callWith, refused } from '../../support/platform.ts'

const both = (suffix = '') => [`marketplace:read:app${suffix}`, `marketplace:write:app${suffix}`]

const server = await startAppManagers({ env: { RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0' } })
const email = 'member@acme.test'
const added = async (act: () => Promise<unknown>) =>
  (await addedBy(server, act)).filter(({ action }) => action !== 'sign-in')
const acmeId = accountOf(server.applied, 'Acme').id
const stranger = server.app('Stranger')
const strangerId = appOf(server.applied, 'Stranger').id
const ruling = (state: string) => server.call('admin', 'PUT', `/approvals/${strangerId}`, { state })
const shown = async () => {
  const { body } = await server.call('admin', 'GET', '/approvals?state=requested')
  return (body.approvals as { app_name: string }[]).map(({ app_name }) => app_name)
}

test.each(['withdrawn', 'declined'])('a %s app stays refused if requested again', async (state) => {
  if (state === 'withdrawn') await ruling('approved')
  const tokens = await server.grantOf(stranger, { email })
  expect((await ruling(state)).status).toBe(200)
  expect(refusal(await server.refresh(stranger, tokens.refresh_token))).toBe(
    '400 invalid_grant 4738',
  )
  expect((await server.me(tokens.access_token)).status).toBe(401)
  const session = await signIn(server, { email, password })
  const path = `/oauth/authorize?${authorizeQuery(stranger)}`
  const page = await (await session.get(path)).text()
  const found = await added(() => session.submit(page, '/oauth/approval/request'))
  expect(found).toMatchObject([
    {
      action: 'approval.requested',
      who: server.idOf(email),
      whom: strangerId,
      accountId: acmeId,
      network: '127.0.0.0/24',
    },
  ])
  expect(await shown()).toContain('Stranger')
  expect((await session.get(path)).status).toBe(403)
  await expect(server.codeOf(stranger, { email })).rejects.toThrow()
  const device = await server.post('/oauth/devicecode', {}, { app: stranger })
  const userCode = String(device.body.user_code)
  await expect(server.approveDevice(userCode, email)).rejects.toThrow()
  // Another request changes nothing and adds no entry.
  expect(await added(() => session.submit(page, '/oauth/approval/request'))).toEqual([])
  await ruling('declined')
  expect(await shown()).not.toContain('Stranger')
  expect((await session.get(path)).status).toBe(403)
  expect(await added(() => ruling('approved'))).toMatchObject([
    { action: 'approval.approved', who: server.idOf('admin@acme.test'), accountId: acmeId },
  ])
  expect((await session.get(path)).status).toBe(200)
  expect(await added(() => ruling('approved'))).toEqual([])
  await ruling('withdrawn')
  expect(await added(() => ruling('withdrawn'))).toEqual([])
  await server.ctx.db.write((trx) =>
    trx.deleteFrom('approvals').where('app_id', '=', strangerId).execute(),
  )
})

test('applying a declaration again keeps an admin’s refusal and prints a warning', async () => {
  const file = { accounts: [{ name: 'Acme', approvedApps: ['Stranger'] }] }
  const first = await added(() => declare(server, file))
  expect(first.map(({ action }) => action).sort()).toEqual(['approval.approved', 'operator.apply'])
  expect(first.find(({ action }) => action === 'approval.approved')).toMatchObject({
    whoKind: 'operator',
    whom: strangerId,
    accountId: acmeId,
    network: null,
  })
  await ruling('withdrawn')
  const again = await declare(server, file)
  expect(again.warnings).toEqual([
    'the approval of "Stranger" for "Acme" is withdrawn. An admin of the account can approve it at /my/approvals.',
  ])
  await expect(server.codeOf(stranger, { email })).rejects.toThrow()
  await ruling('approved')
  expect((await declare(server, file)).warnings).toEqual([])
})

test('only a token with an admin scope can create or take over a chatbot', async () => {
  const made = await server.call('member', 'POST', '/apps', { name: 'Loud', type: 'chatbot' })
  expect(refused(made)).toBe('403 4711')
  expect(made.body.message).toContain('admin scope')
  const { id, production } = await server.register('admin', { type: 'chatbot' })
  const bot = { clientId: production.client_id, clientSecret: production.client_secret }
  expect((await server.token(bot, { grant_type: 'client_credentials' })).status).toBe(200)
  const path = `/apps/${id}/rotate_client_secret`
  const rotate = await server.call('member', 'POST', path, { environment: 'production' })
  expect(rotate.status).toBe(404)
})

test('master scopes give access to the sub-accounts but not to the master account itself', async () => {
  const applied = await declare(server, {
    apps: [
      {
        name: 'Master only',
        account: 'Acme',
        type: 'server-to-server',
        scopes: [...both(':master'), 'user:read:list_users:master', 'user:read:user:master'],
      },
    ],
  })
  const app = credentialsOf(applied, 'Master only')
  const west = accountOf(server.applied, 'Acme West').id
  const tokenFor = async (account: string) =>
    tokensOf(await accountToken(server, app, account)).access_token
  const [own, below] = [await tokenFor(acmeId), await tokenFor(west)]
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
      await callWith(server, own, path, { method, body }),
      await callWith(server, below, path, { method, body }),
    ]
    expect([method, path, refused(mine)]).toEqual([method, path, '403 4711'])
    expect([method, path, theirs.status < 300]).toEqual([method, path, true])
  }
  // "me" requires an owner, and the sub-account does not have one.
  expect((await server.me(below)).body.code).toBe(1001)
})

test('a member cannot enable an app that an admin has disabled', async () => {
  const disable = (who: Who, id: string, disabled: boolean) =>
    server.call(who, 'PATCH', `/apps/${id}`, { disabled })
  const { id } = await server.register('member')
  expect((await disable('admin', id, true)).status).toBe(200)
  const enabled = await disable('member', id, false)
  expect([enabled.status, enabled.body.message]).toEqual([
    409,
    'An admin has disabled this app. Ask an admin to enable it.',
  ])
  expect((await disable('owner', id, false)).body.disabled).toBe(false)
  // Members may enable what they disabled themselves, unless an admin has disabled it as well.
  await disable('member', id, true)
  expect((await disable('member', id, false)).status).toBe(200)
  await disable('member', id, true)
  await disable('admin', id, true)
  expect((await disable('member', id, false)).status).toBe(409)
})

test('the audit log names the changed fields of apps and settings without their values', async () => {
  const who = server.idOf('admin@acme.test')
  const { id } = await server.register('admin')
  const patch = (body: object) => () => server.call('admin', 'PATCH', `/apps/${id}`, body)
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
    const set = () => server.call('admin', 'PATCH', '/settings', { require_app_approval: required })
    const action = `approval-setting.${required ? 'enabled' : 'disabled'}`
    expect(await added(set)).toMatchObject([{ action, who, accountId: acmeId }])
    expect(await added(set)).toEqual([])
  }
})

test('grants of other accounts are refused while an app is private', async () => {
  const name = 'Leaving'
  const applied = await declare(server, {
    apps: [
      generalApp(name, ['user:read:user', 'user:read:token'], {
        account: 'Other',
        deviceFlow: true,
      }),
    ],
  })
  const app = credentialsOf(applied, name)
  const of = (visibility: 'private' | 'public') =>
    declare(server, { apps: [{ name, account: 'Other', visibility }] })
  const tokens = await server.grantOf(app, { email })
  const own = await server.grantOf(app, { email: 'member@other.test' })
  const code = await server.codeOf(app, { email })
  const device = await server.post('/oauth/devicecode', {}, { app })
  await server.approveDevice(String(device.body.user_code), email)
  const zak = await server.http('/v2/users/me/token?type=zak', {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  })
  const { token } = (await zak.json()) as { token: string }
  const { pmi } = (await server.me(tokens.access_token)).body
  const isZakGood = () => opensAsHost(server, pmi, token)
  expect(await isZakGood()).toBe(true)
  await of('private')
  expect((await server.me(tokens.access_token)).body).toMatchObject({ code: 4741 })
  expect((await server.me(own.access_token)).status).toBe(200)
  expect(await isZakGood()).toBe(false)
  const parameters = { token: tokens.access_token }
  const introspected = await server.post('/oauth/introspect', parameters, { app })
  expect(introspected.body).toEqual({ active: false })
  for (const response of [
    await server.refresh(app, tokens.refresh_token),
    await server.exchange(app, code),
    await server.poll(app, device.body.device_code),
  ]) {
    expect(refusal(response)).toBe('400 invalid_grant')
  }
  expect((await server.refresh(app, own.refresh_token)).status).toBe(200)
  // The refused tokens and codes were not consumed.
  await of('public')
  expect((await server.me(tokens.access_token)).status).toBe(200)
  expect(await isZakGood()).toBe(true)
  expect((await server.refresh(app, tokens.refresh_token)).status).toBe(200)
  expect((await server.exchange(app, code)).status).toBe(200)
  expect((await server.poll(app, device.body.device_code)).status).toBe(200)
})
