import { expect, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { callback, declare, makeApp } from '../../support/apps.ts'
import { refused } from '../../support/platform.ts'
import { words } from '../../support/words.ts'

const server = await startAppManagers()
const { call, register } = server
const member = await server.platform('member')
const patch = (id: string, body: unknown) => call('member', 'PATCH', `/apps/${id}`, body)

test.each([
  ['a line end', 'Two\nlines'],
  ['nothing to see', '\u2800 \u3164'],
  ['a hidden character', 'Ac\u202eme'],
  ['101 characters', 'x'.repeat(101)],
])('an app name with %s is refused by the API and in a file of the operator', async (_, name) => {
  const body = { name, type: 'general' }
  expect(refused(await call('member', 'POST', '/apps', body))).toContain('400 300 name')
  await expect(
    declare(server, { apps: [{ name, account: 'Acme', type: 'general' }] }),
  ).rejects.toThrow(/name/)
})

test('a user can have at most 500 apps, and another user can still register one', async () => {
  const { id } = await register('admin of another account')
  await server.ctx.db.write(async (trx) => {
    const app = trx.selectFrom('apps').selectAll().where('id', '=', id)
    const copied = await app.executeTakeFirstOrThrow()
    const copies = Array.from({ length: 499 }, (_, index) => {
      const name = `Many ${index}`
      return { ...copied, id: `${id} ${name}`, name }
    })
    await trx.insertInto('apps').values(copies).execute()
  })
  const body = { name: 'One more', type: 'general' }
  const answer = await call('admin of another account', 'POST', '/apps', body)
  expect([refused(answer), answer.body.message]).toEqual([
    '409 409',
    'You can have at most 500 apps.',
  ])
  expect((await call('member', 'POST', '/apps', body)).status).toBe(201)
})

test('a registration returns both sets of credentials, with secrets that are shown only once', async () => {
  const now = new Date(server.clock.now()).toISOString()
  const made = await register('member', { name: 'Fresh' })
  const client = {
    client_id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    scopes: [],
    optional_scopes: [],
    redirect_uris: [],
  }
  const shown = {
    id: expect.any(String),
    name: 'Fresh',
    type: 'general',
    level: 'user',
    visibility: 'private',
    device_flow: false,
    public_client: false,
    require_s256: false,
    events: [],
    disabled: false,
    created_at: now,
    created_by: server.idOf('member@acme.test'),
    deauthorization_url: null,
    deauthorization_url_validated: false,
  }
  const withSecret = { ...client, client_secret: expect.any(String) }
  expect(made).toEqual({
    ...shown,
    secret_token: expect.any(String),
    development: withSecret,
    production: withSecret,
  })
  const secrets = [made.development.client_secret, made.production.client_secret]
  for (const secret of secrets) expect(secret).toMatch(/^scs_\w{40,}$/)
  expect(made.secret_token).toMatch(/^swt_\w{40,}$/)

  const params = { appId: made.id }
  const again = await member.apps.get({ params })
  expect(again).toEqual({ ...shown, development: client, production: client })
  const { text } = await patch(made.id, { secret_token: 'x' })
  for (const secret of [...secrets, made.secret_token]) expect(text).not.toContain(secret)
  const clients = await server.ctx.db.read.selectFrom('clients').selectAll().execute()
  const stored = JSON.stringify(clients)
  for (const secret of secrets) expect(stored).not.toContain(secret)
})

test('an app name of the same account is refused with 409, and one of another account is accepted', async () => {
  const name = 'Taken'
  await register('member', { name })
  const again = await call('second', 'POST', '/apps', { name: ' Taken ', type: 'general' })
  expect([again.status, again.body.code, again.body.message]).toEqual([
    409,
    409,
    'The account already has an app with this name. Choose another name.',
  ])
  await register('member of another account', { name })
})

test('a token of an account without users can register apps only with an admin scope', async () => {
  const body = { name: 'Of nobody', type: 'general' }
  expect(refused(await call('empty robot', 'POST', '/apps', body))).toBe('409 409')
  expect((await call('empty robot', 'GET', '/apps')).body.apps).toEqual([])
  const made = await call('empty admin robot', 'POST', '/apps', body)
  expect([made.status, made.body.created_by]).toEqual([201, null])
})

const bad = (more: object) => ({ name: 'Bad', type: 'general', ...more })
const inProduction = (production: object) => bad({ production })
const tooMany = Array.from({ length: 101 }, (_, i) => `a:read:b${i}`)
const adminScope = { optional_scopes: ['user:read:user:admin'] }
const withFragment = { redirect_uris: [callback, `${callback}#x`] }
const invalid: Record<string, [body: unknown, fields: string]> = {
  'no name': [{ type: 'general' }, 'name'],
  'no type': [{ name: 'Bad' }, 'type'],
  'another type': [bad({ type: 'jwt' }), 'type'],
  'an unknown field': [bad({ webhook_secret: 'x' }), 'webhook_secret'],
  'disabled from the start': [bad({ disabled: true }), 'disabled'],
  'an unknown field of a tab': [inProduction({ secret: 'x' }), 'production.secret'],
  'no scope': [inProduction({ scopes: ['user:read:user', 'all\0'] }), 'production.scopes.1'],
  'a scope too far': [bad({ development: adminScope }), 'development.optional_scopes.0'],
  'a classic scope': [inProduction({ scopes: ['user:read'] }), 'production.scopes.0'],
  'the scope of chatbots': [inProduction({ scopes: ['imchat:bot'] }), 'production.scopes.0'],
  'an address with a fragment': [inProduction(withFragment), 'production.redirect_uris.1'],
  'no endpoint': [bad({ deauthorization_url: 'nowhere' }), 'deauthorization_url'],
  'no S256': [bad({ public_client: true, require_s256: false }), 'require_s256'],
  'device flow of a chatbot': [bad({ type: 'chatbot', device_flow: true }), 'device_flow'],
  'a list in place of the app': [[], ''],
  '101 scopes': [inProduction({ scopes: tooMany }), 'production.scopes'],
}
test.each(Object.entries(invalid))('registering with %s returns 300', async (_, [body, fields]) => {
  const answer = await call('admin', 'POST', '/apps', body)
  expect(refused(answer)).toBe(`400 300 ${fields}`)
  const [{ field, message }] = answer.body.errors as [{ field: string; message: string }]
  expect(answer.body.message).toContain(field || 'The body')
  expect(answer.body.message).toContain(message)
})

const unregistered = words('applescript://x prefs:/root sip:/x myapp://x')
test.each(unregistered)('a developer cannot register the redirect address %s', async (uri) => {
  const { id } = await register('member', { public_client: true })
  const production = { redirect_uris: ['com.example.app:/callback', uri] }
  const answer = await patch(id, { production })
  expect(refused(answer)).toBe('400 300 production.redirect_uris.1')
  expect(answer.body.message).toContain('the operator can register others')
})

test('a redirect address that the operator registered stays when a developer changes the app', async () => {
  const installed = { redirectUris: ['myapp://callback'], publicClient: true }
  const { id } = await makeApp(server, 'Installed', [], installed)
  const production = { redirect_uris: ['myapp://callback', callback] }
  expect((await call('admin', 'PATCH', `/apps/${id}`, { production })).status).toBe(200)
})

test('a change keeps settings that its body omits', async () => {
  const made = await register('member', {
    device_flow: true,
    development: { scopes: ['user:read:user'], redirect_uris: [callback] },
    production: { scopes: ['user:read:user'], optional_scopes: ['meeting:write:meeting'] },
  })
  const params = { appId: made.id }
  const before = await member.apps.get({ params })
  expect(await member.apps.update({ params, body: {} })).toEqual(before)
  const own = [
    { name: `${before.name} II` },
    { level: 'account' },
    { visibility: 'public' },
    { device_flow: false },
    { require_s256: true },
    { deauthorization_url: 'http://127.0.0.1:1/x' },
    { deauthorization_url: null },
  ] as const
  const ofTabs = [
    ['development', { redirect_uris: [] }],
    ['production', { scopes: ['meeting:read:meeting'] }],
  ] as const
  const changes: [object, object][] = [
    ...own.map((body) => [body, body] as [object, object]),
    ...ofTabs.map(([tab, change]): [object, object] => [
      { [tab]: change },
      { [tab]: { ...before[tab], ...change } },
    ]),
  ]
  let expected: object = before
  for (const [body, change] of changes) {
    expected = { ...expected, ...change }
    expect(await member.apps.update({ params, body })).toEqual(expected)
    expect(await member.apps.get({ params })).toEqual(expected)
  }
})

test('credentials keep their classic scopes and cannot get others', async () => {
  const name = 'Classic'
  const { apps } = await declare(server, {
    apps: [{ name, account: 'Acme', type: 'general', production: { scopes: ['user:read'] } }],
  })
  const change = (production: object) =>
    call('admin', 'PATCH', `/apps/${apps[0]?.id}`, { production })
  expect((await change({ scopes: ['user:read', 'meeting:read:meeting'] })).status).toBe(200)
  expect(refused(await change({ scopes: ['user:read', 'meeting:read'] }))).toBe(
    '400 300 production.scopes.1',
  )
  const development = { scopes: ['user:read'] }
  const answer = await call('admin', 'PATCH', `/apps/${apps[0]?.id}`, { development })
  expect(refused(answer)).toBe('400 300 development.scopes.0')
  expect((await change({ scopes: ['meeting:read:meeting'] })).status).toBe(200)
  expect(refused(await change({ scopes: ['user:read'] }))).toBe('400 300 production.scopes.0')
})

test('each page of apps continues after the previous one, even if apps are added', async () => {
  const { apps } = await server.platform('second')
  const made: string[] = []
  for (let i = 0; i < 7; i++) made.push((await register('second')).name)
  const seen: string[] = []
  let next_page_token = ''
  do {
    const page = await apps.list({ query: { page_size: 3, next_page_token } })
    expect([page.page_size, page.apps.length]).toEqual([3, Math.min(3, 7 - seen.length)])
    seen.push(...page.apps.map(({ name }) => name))
    next_page_token = page.next_page_token
    // Sorts before all others.
    if (seen.length === 3) await register('second', { name: 'A new one' })
  } while (next_page_token)
  expect(seen).toEqual([...made].sort())
  const all = await apps.list({ query: {} })
  expect([all.total_records, all.apps[0]?.name]).toEqual([8, 'A new one'])
})
