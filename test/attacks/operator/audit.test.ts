import { join } from 'node:path'
import { rotateClientSecretByOperator } from '@skillpass/server/apps/apps'
import { listAudit } from '@skillpass/server/audit/list'
import { record } from '@skillpass/server/audit/record'
import { removeOldEntries } from '@skillpass/server/audit/retention'
import { blockAgent, unblockAgent } from '@skillpass/server/registry/moderation/agents'
import { removeFeedback } from '@skillpass/server/registry/moderation/feedback'
import { decideOriginal } from '@skillpass/server/registry/moderation/originals'
import { hideSkill, removeSkill, showSkill } from '@skillpass/server/registry/moderation/skills'
import { describe, expect, test } from 'vitest'
import { accountOf, appOf, credentialsOf, declare, password, userOf } from '../../support/apps.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { operateJson, operatorOf } from '../../support/commands.ts'
import { register } from '../../support/console.ts'
import { engines } from '../../support/databases.ts'
import { startPages } from '../../support/pages.ts'
import { approveDevice, authorizeCode, openSession } from '../../support/people.ts'
import { keyRegistration, makeSigningKey } from '../../support/signing.ts'
import { publish } from '../../support/skills.ts'

const { parse, stringify } = JSON

describe.each(engines)('the audit log on %s', async (engine) => {
  const pages = await startPages({ engine })
  const { server, applied } = pages
  const { ctx, clock, database } = server
  const operator = await operatorOf(database, clock)
  const idOf = (email: string) => userOf(applied, email).id
  const acmeId = accountOf(applied, 'Acme').id

  const entries = async () => {
    await ctx.failedSignIns.flush()
    return listAudit(operator, { limit: 10_000 })
  }
  /** The entries that an act adds, which is over a millisecond after those before it. */
  const added = async (act: () => Promise<unknown>) => {
    const before = new Set((await entries()).map(({ id }) => id))
    clock.advance(1)
    await act()
    return (await entries()).filter(({ id }) => !before.has(id))
  }
  const expectOne = async (act: () => Promise<unknown>, expected: Record<string, unknown>) => {
    const found = await added(act)
    expect(found.map(({ action }) => action)).toEqual([expected.action])
    expect(found[0]).toMatchObject({ network: '127.0.0.0/24', at: clock.now(), ...expected })
  }

  test('each act of a person leaves one entry: who, what, whom, when, from which network', async () => {
    const member = { who: idOf('member@testAccounts.test'), whoKind: 'user', accountId: acmeId }
    const email = 'member@testAccounts.test'
    const session = await pages.signIn(email)
    await expectOne(() => pages.signIn(email), { action: 'sign-in', ...member })
    const [scheduler, pocket] = ['Scheduler', 'Pocket'].map((name) => appOf(applied, name))
    const request = {
      client_id: credentialsOf(applied, 'Scheduler').clientId,
      redirect_uri: 'http://127.0.0.1:8090/callback',
    }
    const consent = (decision: 'allow' | 'deny') => () =>
      authorizeCode(session, request, { decision })
    const whom = scheduler?.id
    await expectOne(consent('deny'), { action: 'consent.denied', whom, ...member })
    let code = ''
    await expectOne(
      async () => {
        code = (await consent('allow')()).code
      },
      { action: 'consent.allowed', whom, whomKind: 'app', whomName: 'Scheduler', ...member },
    )
    // Tokens come by the million and are not recorded.
    const form = { grant_type: 'authorization_code', code, redirect_uri: request.redirect_uri }
    expect(await added(() => pages.token('Scheduler', form))).toEqual([])

    for (const decision of ['allow', 'deny'] as const) {
      const { user_code } = await pages.deviceCode('Scheduler')
      const action = decision === 'allow' ? 'device.allowed' : 'device.denied'
      await expectOne(() => approveDevice(session, user_code, { decision }), {
        action,
        whom,
        ...member,
      })
    }
    const mine = await (await session.get('/my/apps')).text()
    const remove = () => session.submit(mine, '/my/apps/remove')
    await expectOne(remove, { action: 'app.removed', whom, ...member })
    expect(await added(remove)).toEqual([])
    expect(pocket).toBeDefined()
  })

  test('each act of a developer and of an admin leaves one entry in the account', async () => {
    const session = await pages.signIn('owner@testAccounts.test')
    const owner = { who: idOf('owner@testAccounts.test'), accountId: acmeId }
    let app: Awaited<ReturnType<typeof register>> | undefined
    await expectOne(
      async () => {
        app = await register(session, { name: 'Audited' })
      },
      { action: 'app.registered', ...owner },
    )
    const path = `/console/apps/${app?.id}`
    const overview = await (await session.get(path)).text()
    await expectOne(() => session.submit(overview, `${path}/rotate`), {
      action: 'client-secret.rotated',
      whom: app?.id,
      ...owner,
    })
    const webhooks = await (await session.get(`${path}/webhooks`)).text()
    await expectOne(() => session.submit(webhooks, `${path}/webhooks/secret`), {
      action: 'webhook-secret.rotated',
      whom: app?.id,
      ...owner,
    })
    const admin = await pages.signIn('admin@careful.test')
    const member = await pages.signIn('member@careful.test')
    const page = await (await member.get(pages.authorizePath('Scheduler'))).text()
    await member.submit(page, '/oauth/approval/request')
    const list = await (await admin.get('/my/approvals')).text()
    await expectOne(() => admin.submit(list, '/my/approvals', { decision: 'approve' }), {
      action: 'approval.approved',
      who: idOf('admin@careful.test'),
      accountId: accountOf(applied, 'Careful').id,
    })
  })

  test('a user whom an app adds or removes is one entry each, of the account it acts for', async () => {
    const made = await declare(server, {
      accounts: [{ name: 'Staffed', users: [] }],
      apps: [
        {
          name: 'Staff',
          account: 'Staffed',
          type: 'server-to-server',
          scopes: ['user:write:user:admin', 'user:delete:user:admin'],
        },
      ],
    })
    const { clientId, clientSecret } = credentialsOf(made, 'Staff')
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const accountId = accountOf(made, 'Staffed').id
    const issued = await server.http('/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'account_credentials', account_id: accountId }),
    })
    const { access_token } = await issued.json()
    const call = (method: string, path: string, body?: unknown) =>
      server.http(path, {
        method,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: stringify(body) }),
      })
    const by = { whoKind: 'account', who: accountId, accountId }
    let id = ''
    const create = async () => {
      const user_info = { email: 'new@staffed.test', type: 1 }
      const answer = await call('POST', '/v2/users', { action: 'create', user_info })
      expect(answer.status).toBe(201)
      id = (await answer.json()).id
    }
    await expectOne(create, { action: 'user.created', ...by, whomName: 'new@staffed.test' })
    const remove = () => call('DELETE', `/v2/users/${id}?action=delete`)
    await expectOne(remove, { action: 'user.removed', whom: id, ...by })
    expect(await added(remove)).toEqual([])
  })

  test('each act of an agent leaves one entry, and what changes nothing leaves none', async () => {
    let agent: Awaited<ReturnType<typeof server.agent>> | undefined
    await expectOne(
      async () => {
        agent = await server.agent('audited')
      },
      { action: 'agent.registered', whoKind: 'agent' },
    )
    if (!agent) throw new Error('no agent')
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

  test('each command of the operator leaves one entry with its reason and no network', async () => {
    const agent = await server.agent('villain')
    const voter = await server.agent('voter')
    const skill = await publish(agent)
    const params = { id: skill.id }
    await voter.client.registry.feedback.submit({ params, body: { task: 'x', helpful: true } })
    const note = 'It sends files away.'
    const acts = [
      ['skill.hidden', skill.id, () => hideSkill(operator, skill.id, note)],
      ['skill.shown', skill.id, () => showSkill(operator, skill.id, note)],
      ['skill.original-decided', skill.id, () => decideOriginal(operator, skill.id, 'none', note)],
      ['agent.blocked', agent.id, () => blockAgent(operator, agent.username, note)],
      ['agent.unblocked', agent.id, () => unblockAgent(operator, agent.username, note)],
      [
        'feedback.removed',
        voter.id,
        () => removeFeedback(operator, skill.id, voter.username, note),
      ],
      ['skill.deleted', skill.id, () => removeSkill(operator, skill.id, note)],
    ] as const
    for (const [action, whom, act] of acts) {
      const expected = { action, whom, whoKind: 'operator', network: null }
      await expectOne(act, { ...expected, note: expect.stringContaining(note) })
    }
    const { clientId } = credentialsOf(applied, 'Private')
    await expectOne(() => rotateClientSecretByOperator(ctx, clientId), {
      action: 'client-secret.rotated',
      whoKind: 'operator',
      whom: appOf(applied, 'Private').id,
      accountId: acmeId,
      network: null,
    })
    await expectOne(() => declare(server), { action: 'operator.apply', network: null })
  })

  test('an act that fails leaves no entry, and an entry that fails leaves no act', async () => {
    const agent = await server.agent('careful')
    const make = () => agent.client.registry.apiKeys.create({ body: { name: 'x' } })
    const { total } = await agent.client.registry.apiKeys.list({})
    expect(
      await added(() => server.client.registry.agents.register({ body: agent }).catch(() => {})),
    ).toEqual([])
    await operator.db.write((trx) =>
      trx.schema.alterTable('audit_entries').renameTo('audit_entries_away').execute(),
    )
    await expect(make()).rejects.toMatchObject({ code: 'INTERNAL' })
    await operator.db.write((trx) =>
      trx.schema.alterTable('audit_entries_away').renameTo('audit_entries').execute(),
    )
    expect((await agent.client.registry.apiKeys.list({})).total).toBe(total)
    await make()
  })

  test('a thousand guesses are one entry a minute for each user and network, with their number', async () => {
    const user = { id: idOf('member@testAccounts.test'), accountId: acmeId }
    const found = await added(async () => {
      for (let i = 0; i < 1000; i++) {
        ctx.failedSignIns.note(user, `192.0.2.${i % 250}`)
        ctx.failedSignIns.note(undefined, '198.51.100.7')
      }
    })
    expect(found).toHaveLength(2)
    expect(found).toContainEqual(
      expect.objectContaining({
        action: 'sign-in.failed',
        whom: user.id,
        network: '192.0.2.0/24',
        count: 1000,
        accountId: acmeId,
      }),
    )
    expect(found).toContainEqual(
      expect.objectContaining({ whom: null, network: '198.51.100.0/24', count: 1000 }),
    )
    // From as many networks as one likes: what has no place of its own is counted together.
    const many = await added(async () => {
      for (let i = 0; i < 5000; i++) ctx.failedSignIns.note(user, `10.${i >> 8}.${i & 255}.1`)
    })
    expect(many.length).toBeLessThanOrEqual(201)
    expect(many.reduce((sum, { count }) => sum + count, 0)).toBe(5000)
  })

  test('a wrong password is recorded with the network and without the email', async () => {
    const guess = async (email: string) => {
      const browser = openSession(server)
      const html = await (await browser.get('/sign-in')).text()
      const form = { email, password: 'planted-wrong-password' }
      expect((await browser.submit(html, '/sign-in', form)).status).toBe(400)
    }
    await expectOne(() => guess('admin@testAccounts.test'), {
      action: 'sign-in.failed',
      whom: idOf('admin@testAccounts.test'),
      whoKind: 'unknown',
      accountId: acmeId,
    })
    await expectOne(() => guess('planted-nobody@testAccounts.test'), {
      action: 'sign-in.failed',
      whom: null,
      accountId: null,
    })
  })

  test('no entry holds a secret, a token, a password or an email', async () => {
    const agent = await server.agent('secretive')
    const made = await agent.client.registry.apiKeys.create({ body: { name: 'planted-key-name' } })
    const session = await pages.signIn('owner@testAccounts.test')
    const secrets = [
      agent.apiKey,
      made.data.key,
      'planted-',
      password,
      ...session
        .cookie()
        .split(/[=;] ?/)
        .filter((part) => part.length > 20),
      ...applied.apps.flatMap(({ secretToken, development, production }) =>
        [secretToken, development.clientSecret, production.clientSecret].filter(
          (one) => one !== undefined,
        ),
      ),
    ]
    await ctx.failedSignIns.flush()
    const rows = await operator.db.read.selectFrom('audit_entries').selectAll().execute()
    expect(rows.length).toBeGreaterThan(20)
    const text = stringify(rows)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/skp_|scs_|swt_|sse_|sat_|srt_|sac_|@testAccounts\.test/)
  })

  test('an entry cannot be changed, only retention removes it', async () => {
    const change = operator.db.write((trx) =>
      trx.updateTable('audit_entries').set({ who: 'nobody' }).execute(),
    )
    await expect(change).rejects.toThrow(/append-only/)
    const old = { ...operator, clock: { ...clock, now: () => clock.now() - 366 * 86_400_000 } }
    const act = { action: 'operator.backup', who: { kind: 'operator', id: 'old' } } as const
    await operator.db.write((trx) => record(old, trx, act))
    const before = await entries()
    expect(before.filter(({ who }) => who === 'old')).toHaveLength(1)
    await removeOldEntries(ctx)
    expect(await entries()).toEqual(before.filter(({ who }) => who !== 'old'))
  })

  test('an account’s owner reads what was done in it, nobody else does, and pages do not overlap', async () => {
    const stranger = await pages.signIn('member@other.test')
    const owner = await pages.signIn('owner@testAccounts.test')
    for (const email of [
      'admin@testAccounts.test',
      'member@testAccounts.test',
      'admin@careful.test',
    ]) {
      expect((await (await pages.signIn(email)).get('/console/audit')).status).toBe(403)
    }
    expect((await stranger.get('/console/audit')).status).toBe(403)
    expect((await openSession(server).get('/console/audit')).status).toBe(303)
    const act = { action: 'sign-in', accountId: acmeId } as const
    await operator.db.write(async (trx) => {
      for (let i = 0; i < 60; i++) {
        await record({ ...operator, network: `2001:db8:${i.toString(16)}::/48` }, trx, {
          ...act,
          who: { kind: 'user', id: idOf('member@testAccounts.test') },
        })
      }
      const other = accountOf(applied, 'Other').id
      const network = '203.0.113.0/24'
      await record({ ...operator, network }, trx, { ...act, accountId: other })
    })
    const networks: string[] = []
    let path: string | undefined = '/console/audit'
    while (path !== undefined) {
      const response = await owner.get(path)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(html).not.toContain('203.0.113.0')
      networks.push(...[...html.matchAll(/2001:db8:[0-9a-f]+::\/48/g)].map(([one]) => one))
      path = /href="(\/console\/audit\?after=[^"]+)"/.exec(html)?.[1]
    }
    expect(new Set(networks).size).toBe(60)
    expect(networks).toHaveLength(60)
    expect((await owner.get('/console/audit?after=nonsense')).status).toBe(400)
    expect(await (await owner.get('/console')).text()).toContain('href="/console/audit"')
    expect(await (await stranger.get('/console')).text()).not.toContain('/console/audit')
  })

  test('commands on the whole database are recorded, a backup once it is made', async () => {
    const folder = await temporaryFolder()
    const found = await added(async () => {
      await operateJson(database, 'encryption', 'rotate')
      const backup = operateJson(database, 'backup', join(folder, 'copy.db'))
      if (engine === 'sqlite') await backup
      else await expect(backup).rejects.toThrow('pg_dump')
    })
    expect(found.map(({ action }) => action).sort()).toEqual([
      ...(engine === 'sqlite' ? ['operator.backup'] : []),
      'operator.encryption-rotated',
    ])
  })

  test('skillpass-server audit answers by time, action and person', async () => {
    const { entries: printed } = await operateJson(
      database,
      'audit',
      ...['--action', 'sign-in', '--who', 'owner@testAccounts.test', '--limit', '2'],
    )
    expect(parse(stringify(printed))).toMatchObject([
      {
        action: 'sign-in',
        who: idOf('owner@testAccounts.test'),
        whoName: 'owner@testAccounts.test',
      },
      { action: 'sign-in', network: '127.0.0.0/24' },
    ])
  })
})
