import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  accountOf,
  appOf,
  callback,
  credentialsOf,
  declare,
  password,
  userOf,
} from '../../support/apps.ts'
import { addedBy, entriesOf } from '../../support/audit.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { engine, engines } from '../../support/databases.ts'
import { accountToken, tokensOf } from '../../support/oauth-client.ts'
import { startPages } from '../../support/pages.ts'
import { openSession, reachedFrom, signIn } from '../../support/people.ts'
import { startTestServer } from '../../support/server.ts'
import { keyRegistration, makeSigningKey } from '../../support/signing.ts'
import { ask, publish } from '../../support/skills.ts'

const pages = await startPages({ env: { TRUST_PROXY: 'loopback' } })
const { server, applied } = pages
const { ctx, clock } = server
const idOf = (email: string) => userOf(applied, email).id
const acmeId = accountOf(applied, 'Acme').id

const added = (act: () => Promise<unknown>) => addedBy(server, act)
const expectOne = async (act: () => Promise<unknown>, expected: Record<string, unknown>) => {
  const found = await added(act)
  expect(found.map(({ action }) => action)).toEqual([expected.action])
  expect(found[0]).toMatchObject({
    network: '127.0.0.0/24',
    at: new Date(clock.now()).toISOString(),
    ...expected,
  })
}

test('each action of a user writes one audit entry with actor, action, target, time and network', async () => {
  const member = { who: idOf('member@acme.test'), whoKind: 'user', accountId: acmeId }
  const email = 'member@acme.test'
  const session = await pages.signIn(email)
  await expectOne(() => pages.signIn(email), { action: 'sign-in', ...member })
  const whom = appOf(applied, 'Scheduler').id
  let code = ''
  const consent = (decision: 'allow' | 'deny') => async () => {
    const path = pages.authorizePath('Scheduler')
    const { headers } = await session.fill(path, '/oauth/consent', { decision })
    code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  }
  await expectOne(consent('deny'), { action: 'consent.denied', whom, ...member })
  const named = { whom, whomKind: 'app', whomName: 'Scheduler' }
  await expectOne(consent('allow'), { action: 'consent.allowed', ...named, ...member })
  // Tokens are not audited, because they would add too many entries.
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  expect(await added(() => pages.token('Scheduler', form))).toEqual([])
  const { user_code } = await pages.deviceCode('Scheduler')
  const page = `/oauth/device/complete/${user_code}`
  const deny = () => session.fill(page, '/oauth/device/decision', { decision: 'deny' })
  await expectOne(deny, { action: 'device.denied', whom, ...member })
  const mine = await (await session.get('/my/apps')).text()
  const remove = () => session.submit(mine, '/my/apps/remove')
  await expectOne(remove, { action: 'app.removed', whom, ...member })
  expect(await added(remove)).toEqual([])
})

test('each action of a developer writes one audit entry in the account', async () => {
  const session = await pages.signIn('owner@acme.test')
  const owner = { who: idOf('owner@acme.test'), accountId: acmeId }
  let whom = ''
  const add = async () => {
    const html = await (await session.get('/console/new?type=general')).text()
    const made = await session.submit(html, '/console/new', { name: 'Audited', level: 'user' })
    whom = made.headers.get('location')?.split('/')[3] ?? ''
  }
  await expectOne(add, { action: 'app.registered', ...owner })
  const path = `/console/apps/${whom}`
  const overview = await (await session.get(path)).text()
  const rotate = () => session.submit(overview, `${path}/rotate`)
  await expectOne(rotate, { action: 'client-secret.rotated', whom, ...owner })
  const webhooks = await (await session.get(`${path}/webhooks`)).text()
  const rotateToken = () => session.submit(webhooks, `${path}/webhooks/secret`)
  await expectOne(rotateToken, { action: 'webhook-secret.rotated', whom, ...owner })
})

test('an app that adds or removes a user writes one audit entry in that user’s account', async () => {
  const name = 'Staffed'
  const scopes = ['user:write:user:admin', 'user:delete:user:admin']
  const made = await declare(server, {
    accounts: [{ name, users: [] }],
    apps: [{ name: 'Staff', account: name, type: 'server-to-server', scopes }],
  })
  const accountId = accountOf(made, name).id
  const issued = await accountToken(server, credentialsOf(made, 'Staff'), accountId)
  const { access_token: key } = tokensOf(issued)
  const by = { whoKind: 'account', who: accountId, accountId }
  let id = ''
  const create = async () => {
    const user_info = { email: 'new@staffed.test', type: 1 }
    const body = { action: 'create', user_info }
    id = (await (await ask(server, 'POST', '/v2/users', { key, body })).json()).id
  }
  await expectOne(create, { action: 'user.created', ...by, whomName: 'new@staffed.test' })
  const remove = () => ask(server, 'DELETE', `/v2/users/${id}?action=delete`, { key })
  await expectOne(remove, { action: 'user.removed', whom: id, ...by })
  expect(await added(remove)).toEqual([])
})

test('each action of an agent writes one audit entry, and an action that changes nothing writes none', async () => {
  const registration = { action: 'agent.registered', whoKind: 'agent' }
  await expectOne(() => server.agent('audited'), registration)
  const agent = await server.agent('audited')
  const { client, id: who } = agent
  let keyId = ''
  const create = async () => {
    keyId = (await client.registry.apiKeys.create({ body: { name: 'laptop' } })).data.id
  }
  await expectOne(create, { action: 'api-key.created', who, whomKind: 'api-key' })
  const revoke = () => client.registry.apiKeys.revoke({ params: { id: keyId } })
  await expectOne(revoke, { action: 'api-key.revoked', who, whom: keyId })
  expect(await added(revoke)).toEqual([])
  const body = keyRegistration(agent.username, makeSigningKey())
  const sign = () => client.registry.agents.setSigningKey({ body })
  const { publicKey } = body
  await expectOne(sign, { action: 'agent.signing-key-registered', who, note: publicKey })
  expect(await added(sign)).toEqual([])
  const skill = await publish(agent)
  const remove = () => client.registry.skills.delete({ params: { id: skill.id } })
  await expectOne(remove, { action: 'skill.deleted', who, whom: skill.id, whomKind: 'skill' })
  expect(await added(() => remove().catch(() => {}))).toEqual([])
})

test('each operator command writes one audit entry with its reason and no network', async () => {
  const agent = await server.agent('villain')
  const voter = await server.agent('voter')
  const skill = await publish(agent)
  const params = { id: skill.id }
  await voter.client.registry.feedback.submit({ params, body: { task: 'x', helpful: true } })
  const note = 'It sends files away.'
  const acts = [
    ['skill.hidden', skill.id, () => server.moderate('skill hide', skill.id, note)],
    ['skill.shown', skill.id, () => server.moderate('skill unhide', skill.id, note)],
    [
      'skill.original-decided',
      skill.id,
      () => server.moderate('skill original', skill.id, note, '--none'),
    ],
    ['agent.blocked', agent.id, () => server.moderate('agent block', agent.username, note)],
    ['agent.unblocked', agent.id, () => server.moderate('agent unblock', agent.username, note)],
    [
      'feedback.removed',
      voter.id,
      () => server.moderate('feedback remove', skill.id, note, '--agent', voter.username, '--yes'),
    ],
    ['skill.deleted', skill.id, () => server.moderate('skill delete', skill.id, note, '--yes')],
  ] as const
  for (const [action, whom, act] of acts) {
    const expected = { action, whom, whoKind: 'operator', network: null }
    await expectOne(act, { ...expected, note: expect.stringContaining(note) })
  }
  const { clientId } = credentialsOf(applied, 'Private')
  await expectOne(() => server.operate('rotate-secret', clientId), {
    action: 'client-secret.rotated',
    whoKind: 'operator',
    whom: appOf(applied, 'Private').id,
    accountId: acmeId,
    network: null,
  })
  await expectOne(() => declare(server), { action: 'operator.apply', network: null })
  const rotate = () => server.operate('encryption rotate')
  await expectOne(rotate, { action: 'operator.encryption-rotated', network: null })
  if (engine === 'postgres') return
  const copy = join(await temporaryFolder(), 'copy.db')
  const backup = () => server.operate('backup', copy)
  await expectOne(backup, { action: 'operator.backup', network: null })
})

test('applying a declaration writes one entry for each object that it makes or changes', async () => {
  const changedBy = async (account: object, app: object = {}) => {
    const found = await added(() =>
      declare(server, {
        accounts: [{ name: 'Audited', ...account }],
        apps: [{ name: 'Noted', account: 'Audited', type: 'general', ...app }],
        agents: [{ username: 'noted' }],
      }),
    )
    expect(new Set(found.map(({ whoKind }) => whoKind))).toEqual(new Set(['operator']))
    return found
      .filter(({ action }) => action !== 'operator.apply')
      .map(({ action, whomName, note }) => `${action} ${whomName} ${note}`)
      .sort()
  }
  const [ann, ben] = [
    { email: 'ann@audited.test', password, role: 'admin' },
    { email: 'ben@audited.test', password },
  ]
  expect(await changedBy({ users: [ann, ben] })).toEqual([
    'account.created Audited null',
    'agent.registered noted null',
    'app.registered Noted null',
    'user.created ann@audited.test admin',
    'user.created ben@audited.test member',
  ])
  expect(await changedBy({ users: [ann, ben] })).toEqual([])
  const changed = [
    { ...ann, role: 'member', password: `${password} new` },
    { ...ben, removed: true },
  ]
  const settings = { requireAppApproval: true, domains: ['audited.test'] }
  expect(await changedBy({ users: changed, ...settings }, { disabled: true })).toEqual([
    'account.changed Audited domains',
    'app.disabled Noted null',
    'approval-setting.enabled null null',
    'user.changed ann@audited.test role, password',
    'user.removed ben@audited.test null',
  ])
  const ofAnn = ['--who', 'ann@audited.test', '--action', 'user.created']
  expect((await server.operate('audit', ...ofAnn)).entries).toHaveLength(1)
})

test('a thousand wrong passwords create one audit entry with a count for each user and network', async () => {
  const user = { id: idOf('member@acme.test'), accountId: acmeId }
  const found = await added(async () => {
    for (let i = 0; i < 1000; i++) {
      ctx.failedSignIns.note(user, `192.0.2.${i % 250}`)
      ctx.failedSignIns.note(undefined, '198.51.100.7')
    }
  })
  const entry = { action: 'sign-in.failed', count: 1000 }
  const mine = { ...entry, whom: user.id, network: '192.0.2.0/24', accountId: acmeId }
  const nobodys = { ...entry, whom: null, network: '198.51.100.0/24' }
  expect(found).toHaveLength(2)
  for (const one of [mine, nobodys]) expect(found).toContainEqual(expect.objectContaining(one))
  // A limited number of networks get separate entries; the others share one.
  const many = await added(async () => {
    for (let i = 0; i < 5000; i++) ctx.failedSignIns.note(user, `10.${i >> 8}.${i & 255}.1`)
  })
  expect(many.length).toBeLessThanOrEqual(201)
  expect(many.reduce((sum, { count }) => sum + count, 0)).toBe(5000)
})

test('a wrong password is recorded with the network but without the email', async () => {
  const guess = async (email: string) => {
    const browser = openSession(server)
    const html = await (await browser.get('/sign-in')).text()
    const form = { email, password: 'planted-wrong-password' }
    expect((await browser.submit(html, '/sign-in', form)).status).toBe(400)
  }
  const action = 'sign-in.failed'
  const whom = idOf('admin@acme.test')
  const known = { action, whom, whoKind: 'unknown', accountId: acmeId }
  await expectOne(() => guess('admin@acme.test'), known)
  const unknown = { action, whom: null, accountId: null }
  await expectOne(() => guess('planted-nobody@acme.test'), unknown)
})

test('audit entries contain no secret, token, password or email', async () => {
  const agent = await server.agent('secretive')
  const made = await agent.client.registry.apiKeys.create({ body: { name: 'planted-key-name' } })
  const session = await pages.signIn('owner@acme.test')
  const cookies = session.cookie().split(/[=;] ?/)
  const secrets = [
    ...[agent.apiKey, made.data.key, 'planted-', password],
    ...cookies.filter((part) => part.length > 20),
    ...applied.apps.flatMap(({ secretToken, development, production }) => [
      ...[secretToken, development.clientSecret, production.clientSecret],
    ]),
  ]
  await server.runJob('writing failed sign-ins')
  const rows = await server.ctx.db.read.selectFrom('audit_entries').selectAll().execute()
  expect(rows.length).toBeGreaterThan(20)
  const text = JSON.stringify(rows)
  for (const secret of secrets) if (secret) expect(text).not.toContain(secret)
  expect(text).not.toMatch(/skp_|scs_|swt_|sse_|sat_|srt_|sac_|@acme\.test/)
})

// `web/platform-pages.test.ts` tests its pagination.
test('only the owner of an account can read its audit entries', async () => {
  const owner = await pages.signIn('owner@acme.test')
  const stranger = await pages.signIn('member@other.test')
  for (const email of ['admin@acme.test', 'member@acme.test', 'admin@careful.test']) {
    expect((await (await pages.signIn(email)).get('/console/audit')).status).toBe(403)
  }
  expect((await stranger.get('/console/audit')).status).toBe(403)
  expect((await openSession(server).get('/console/audit')).status).toBe(303)
  for (const [address, email] of [
    ['2001:db8:1::1', 'member@acme.test'],
    ['203.0.113.1', 'member@other.test'],
  ] as const) {
    await signIn(
      reachedFrom(() => address, server),
      { email, password },
    )
  }
  const html = await (await owner.get('/console/audit')).text()
  expect(html).toContain('2001:db8:1::/48')
  expect(html).not.toContain('203.0.113.0/24')
  expect((await owner.get('/console/audit?after=nonsense')).status).toBe(400)
  expect(await (await owner.get('/console')).text()).toContain('href="/console/audit"')
  expect(await (await stranger.get('/console')).text()).not.toContain('/console/audit')
})

describe.each(engines)('the table of audit entries on %s', async (engine) => {
  const server = await startTestServer({ engine })

  test('a failed action leaves no audit entry, and a failed audit entry rolls back its action', async () => {
    const agent = await server.agent('careful')
    const added = (act: () => Promise<unknown>) => addedBy(server, act)
    const make = () => agent.client.registry.apiKeys.create({ body: { name: 'x' } })
    const { total } = await agent.client.registry.apiKeys.list({})
    expect(
      await added(() => server.client.registry.agents.register({ body: agent }).catch(() => {})),
    ).toEqual([])
    const run = (statement: string) => server.ctx.db.write((trx) => sql.raw(statement).execute(trx))
    await run(
      "create unique index one_of_each on audit_entries (action) where action = 'api-key.created'",
    )
    await make()
    await expect(make()).rejects.toMatchObject({ code: 'INTERNAL' })
    await run('drop index one_of_each')
    expect((await agent.client.registry.apiKeys.list({})).total).toBe(total + 1)
    await make()
  })

  test('an audit entry cannot be changed, and only retention deletes it', async () => {
    const change = server.ctx.db.write((trx) =>
      trx.updateTable('audit_entries').set({ who: 'nobody' }).execute(),
    )
    await expect(change).rejects.toThrow(/append-only/)
    server.clock.advance(366 * 86_400_000)
    await server.agent('late')
    expect((await entriesOf(server)).length).toBeGreaterThan(1)
    await server.runJob('removing old records')
    expect(await entriesOf(server)).toMatchObject([{ action: 'agent.registered' }])
  })
})
