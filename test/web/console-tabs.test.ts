import { expect, onTestFinished, test } from 'vitest'
import { appOf, credentialsOf } from '../support/apps.ts'
import { grantOf, token, tokensOf } from '../support/oauth-server.ts'
import { startPages } from '../support/pages.ts'
import { callWith } from '../support/platform.ts'
import { signatureProblems, startReceiver, status } from '../support/receiver.ts'
import { startTestServer } from '../support/server.ts'
import { until } from '../support/waiting.ts'
import { authorizePath, change, overviewOf, planner, register } from './console.ts'
import { locationOf, textOf } from './responses.ts'

const pages = await startPages()
const member = await pages.signIn('member@acme.test')

const admin = await pages.signIn('admin@acme.test')

test('scopes are saved per tab, and the consent page asks for them from then on', async () => {
  const app = await register(member, { ...planner, name: 'Choosing' })
  const path = `${overviewOf(app.id)}/scopes`
  const fields = {
    'pick meeting:write:meeting': 'off',
    'pick meeting:read:list_meetings': 'optional',
    'pick user:update:user': 'required',
  }
  const saved = await change(member, `${path}?tab=production`, fields)
  expect([saved.status, locationOf(saved)]).toEqual([303, `${path}?tab=production&done=saved`])
  const ticked = 'meeting:read:list_meetings'
  const { scope } = await grantOf(pages.server, app.production, { ticked })
  expect(scope).toBe('user:read:user user:update:user meeting:read:list_meetings')
  expect(await grantOf(pages.server, app.development)).toMatchObject({ scope: 'user:read:user' })
  const html = await (await member.get(path)).text()
  expect(html).toMatch(/name="pick meeting:write:meeting" value="optional" checked/)
})

test('a chatbot cannot drop imchat:bot, and a server-to-server app has no tabs for redirects and webhooks', async () => {
  const bot = await register(member, { name: 'Fixed', type: 'chatbot' })
  const path = `${overviewOf(bot.id)}/scopes`
  const html = await (await member.get(path)).text()
  expect(html).not.toContain('name="pick imchat:bot"')
  const posted = await change(member, path, { 'pick imchat:bot': 'off' })
  expect(posted.status).toBe(303)
  const request = { grant_type: 'client_credentials' }
  expect((await token(pages.server, bot.development, request)).body).toMatchObject({
    scope: 'imchat:bot',
  })
  expect(html).toContain(`href="${overviewOf(bot.id)}/redirects"`)
  const machine = await register(admin, { name: 'Tabless', type: 'server-to-server' })
  const overview = await (await admin.get(overviewOf(machine.id))).text()
  expect(overview).not.toMatch(/href="[^"]*\/(redirects|webhooks)"/)
})

test('scopes that the form does not offer are ignored, and unknown tabs are refused', async () => {
  const app = await register(member, { ...planner, name: 'Forging' })
  const path = `${overviewOf(app.id)}/scopes`
  const forged = {
    'pick user:read': 'required',
    'pick user:read:user:master': 'required',
    'pick imchat:bot': 'required',
    'pick user:read:user': 'free',
  }
  expect((await change(member, path, forged)).status).toBe(303)
  const { scope } = await grantOf(pages.server, app.development)
  expect(scope).toBe('user:read:user')
  expect((await change(member, path, { environment: 'test' })).status).toBe(403)
  expect((await member.get(`${path}?tab=test`)).status).toBe(400)
})

test('classic scopes are migrated to granular ones, development first', async () => {
  const { id } = appOf(pages.applied, 'Legacy')
  const legacy = credentialsOf(pages.applied, 'Legacy')
  await grantOf(pages.server, legacy)
  const path = `${overviewOf(id)}/scopes`
  const migration = `${path}/migration`
  const scopesPage = await textOf(await admin.get(`${path}?tab=production`))
  expect(scopesPage).toContain('2 scopes of this tab are classic, which is legacy.')
  const early = await textOf(await admin.get(`${migration}?tab=production`))
  expect(early).toContain('Migrate the development tab first')

  const preview = await admin.get(`${migration}?tab=development`)
  const html = await preview.clone().text()
  const words = await textOf(preview)
  expect(words).toContain('user:read is replaced by See your profile user:read:user')
  expect(words).toContain('meeting:write is replaced by')
  expect(words).toContain('so no existing grant is affected')
  const migrated = await admin.submit(html, migration)
  expect(locationOf(migrated)).toBe(`${path}?tab=development&done=migrated`)
  const twice = await admin.submit(html, migration)
  expect(twice.status).toBe(400)
  expect(await textOf(twice)).toContain('there is nothing to migrate')

  const second = await (await admin.get(`${migration}?tab=production`)).text()
  expect(second).toContain('1 grant keeps classic scopes')
  expect((await admin.submit(second, migration)).status).toBe(303)
})

test('refused redirect addresses are reported by line, and nothing is saved', async () => {
  const app = await register(member, { ...planner, name: 'Staying' })
  const path = `${overviewOf(app.id)}/redirects`
  const typed = { development: '\nhttps://u@a.test/', production: 'https://ok.test/\nnonsense' }
  const refused = await change(member, path, typed)
  expect(refused.status).toBe(400)
  const html = await refused.clone().text()
  const words = await textOf(refused)
  expect(words).toContain('Line 2: must not contain a user name.')
  expect(words).toContain('Line 2: must be an absolute address.')
  expect(html).toContain('https://ok.test/\nnonsense</textarea>')
  expect(await (await member.get(path)).text()).not.toContain('ok.test')
})

const receiver = await startReceiver()

test('a webhook address is validated, and the log shows each delivery and resends it', async () => {
  const app = await register(member, { ...planner, name: 'Hooked' })
  const path = `${overviewOf(app.id)}/webhooks`
  const wrong = await change(member, path, { url: 'ftp://a.test' })
  expect(wrong.status).toBe(400)
  expect(await wrong.clone().text()).toMatch(/value="ftp:\/\/a.test"/)
  expect(await textOf(wrong)).toMatch(
    /Address Leave this empty if your app does not receive events. Must be/,
  )

  const saved = await change(member, path, { url: receiver.url('/hook') })
  expect(locationOf(saved)).toBe(`${path}?done=saved`)
  expect(await textOf(await member.get(path))).toContain('This address is not validated yet')
  const validate = () => change(member, path, {}, { action: `${path}/validation` })
  const failed = await validate()
  expect(failed.status).toBe(400)
  expect(await textOf(failed)).toContain('The endpoint returned 404 to its validation')
  receiver.trust('/hook', app.secretToken)
  expect(locationOf(await validate())).toBe(`${path}?done=valid`)
  expect(await textOf(await member.get(path))).toContain('This address is valid')

  const isPublic = { name: 'Hooked', visibility: 'public', level: 'user' }
  expect((await change(member, overviewOf(app.id), isPublic)).status).toBe(303)
  receiver.answer('/hook', status(500))
  await grantOf(pages.server, app.production)
  const removing = { action: '/my/apps/remove', text: app.id }
  await change(member, '/my/apps', {}, removing)
  const log = async () => textOf(await member.get(path))
  await until('the first attempt', async () => (await log()).includes('1 attempt'))
  expect(await log()).toMatch(/app_deauthorized Waiting .*, next attempt on .* returned 500/)

  receiver.answer('/hook', status(200))
  const resent = await change(member, path, {}, { action: `${path}/deliveries` })
  expect(locationOf(resent)).toBe(`${path}?done=resent`)
  await until('the second attempt', async () => (await log()).includes('Delivered'))
  expect(await log()).toMatch(/2 attempts .* returned 500.* returned 200/)
  expect(receiver.deliveries('/hook')).toHaveLength(2)
})

test('a test event is signed, sent once and listed, even if the endpoint fails', async () => {
  const app = await register(member, { ...planner, name: 'Trying' })
  const path = `${overviewOf(app.id)}/webhooks`
  const send = () => change(member, path, {}, { action: `${path}/test` })
  await change(member, path, { url: receiver.url('/try') })
  receiver.trust('/try', app.secretToken)
  receiver.answer('/try', status(500))
  expect(locationOf(await send())).toBe(`${path}?done=tested`)
  // A second press within ten seconds sends nothing.
  await send()
  const log = async () => textOf(await member.get(path))
  await until('the attempt', async () => (await log()).includes('1 attempt'))
  expect(await log()).toMatch(/endpoint.test Failed .* returned 500/)
  expect(await log()).not.toContain('next attempt')
  const [delivery] = receiver.deliveries('/try')
  if (!delivery) throw new Error('The receiver got nothing.')
  expect(signatureProblems(delivery, app.secretToken, pages.server.clock.now())).toEqual([])
  expect(delivery.event.payload.client_id).toBe(app.production.clientId)
  expect(receiver.deliveries('/try')).toHaveLength(1)
})

test('an app is deleted only by its name: access ends, and its endpoint gets an event for each person', async () => {
  const app = await register(member, { ...planner, name: 'Ending' })
  const path = overviewOf(app.id)
  await change(member, `${path}/webhooks`, { url: receiver.url('/end') })
  receiver.trust('/end', app.secretToken)
  await change(member, path, { name: 'Ending', visibility: 'public', level: 'user' })
  const { access_token = '' } = await grantOf(pages.server, app.production)
  const end = (confirmation: string) =>
    change(member, path, { confirmation }, { action: `${path}/delete` })
  const refused = await end('ending')
  expect([refused.status, await textOf(refused)]).toEqual([
    400,
    expect.stringContaining('This is not the name of the app.'),
  ])
  expect((await callWith(pages.server, access_token, '/v2/users/me')).status).toBe(200)
  expect(locationOf(await end('Ending'))).toBe('/console?done=deleted')
  expect((await callWith(pages.server, access_token, '/v2/users/me')).status).toBe(401)
  const again = await token(pages.server, app.production, { grant_type: 'client_credentials' })
  expect(again.status).toBeGreaterThanOrEqual(400)
  expect((await member.get(path)).status).toBe(404)
  await until('the event', async () => receiver.deliveries('/end').length > 0)
  const [delivery] = receiver.deliveries('/end')
  expect(delivery?.event.event).toBe('app_deauthorized')
  const owner = await pages.signIn('owner@acme.test')
  expect(await textOf(await owner.get('/console/audit'))).toMatch(
    /Deleted an app: Ending \(deleted\) By member/,
  )
  expect((await register(member, { ...planner, name: 'Ending' })).id).not.toBe(app.id)
})

test('the name of an app with two spaces confirms its end as browsers show it, with one', async () => {
  const { id } = await register(member, { ...planner, name: 'Wide  Gap' })
  const action = `${overviewOf(id)}/delete`
  const ended = await change(member, overviewOf(id), { confirmation: 'Wide Gap' }, { action })
  expect(locationOf(ended)).toBe('/console?done=deleted')
})

test('an app that the platform or an admin disabled cannot be deleted by its developer', async () => {
  const app = await register(member, { ...planner, name: 'Held' })
  const path = overviewOf(app.id)
  await change(admin, path, { disabled: 'yes' }, { action: `${path}/availability` })
  const html = await (await admin.get(path)).text()
  await admin.submit(html, `${path}/availability`, { disabled: 'yes' })
  const end = await change(member, path, { confirmation: 'Held' }, { action: `${path}/delete` })
  expect([end.status, await textOf(end)]).toEqual([400, expect.stringContaining('Ask an admin')])
})

test('the console shows the messages of a chatbot as text, newest first', async () => {
  const bot = credentialsOf(pages.applied, 'Helper bot')
  const grant_type = 'client_credentials'
  const { access_token } = tokensOf(await token(pages.server, bot, { grant_type }))
  for (const text of ['first', '<b>second</b>']) {
    pages.server.clock.advance(1)
    const content = { head: { text } }
    const body = { robot_jid: 'bot@xmpp.test', to_jid: 'room@conference.test', content }
    const call = { method: 'POST', body }
    await callWith(pages.server, access_token, '/v2/im/chat/messages', call)
  }
  const { id: appId } = appOf(pages.applied, 'Helper bot')
  const html = await (await admin.get(`${overviewOf(appId)}/messages`)).text()
  expect(html.indexOf('second')).toBeLessThan(html.indexOf('first'))
  expect(html).not.toContain('<b>')
  expect(html).toContain('room@conference.test')
})

test('the console shows the calls of an app, why they failed and how to mend it, without secrets', async () => {
  const app = await register(member, { ...planner, name: 'Calling' })
  const path = `${overviewOf(app.id)}/calls`
  expect(await textOf(await member.get(path))).toContain('No calls yet')
  const { access_token = '', refresh_token = '' } = await grantOf(pages.server, app.production)
  await callWith(pages.server, access_token, '/v2/users/me')
  await callWith(pages.server, access_token, '/v2/users')
  const wrong = { ...app.production, clientSecret: `${app.production.clientSecret}x` }
  await token(pages.server, wrong, { grant_type: 'refresh_token', refresh_token })
  await token(pages.server, app.production, { grant_type: refresh_token, refresh_token })
  const stray = authorizePath(app.production).replace(/redirect_uri=[^&]*/, 'redirect_uri=x:y')
  await pages.stranger().get(stray)
  await member.get(`${authorizePath(app.production)}&scope=nothing`)
  pages.server.clock.advance(3_600_001)
  await callWith(pages.server, access_token, '/v2/users/me')
  const page = await member.get(path)
  const html = await page.clone().text()
  const words = await textOf(page)
  for (const expected of [
    /POST \/oauth\/token 200/,
    /GET \/v2\/users\/:userId 200/,
    /GET \/v2\/users 403 4711 .*user:read:list_users.* Add one of them to the app/,
    /POST \/oauth\/token 401 4702 The client id or the client secret is wrong/,
    /POST \/oauth\/token 400 4705 grant_type must be/,
    /GET \/oauth\/authorize 400 4709 redirect_uri must be identical/,
    /GET \/oauth\/authorize 302 invalid_scope The request names a scope that does not exist/,
    /GET \/v2\/users\/:userId 401 124 Access token is expired/,
  ]) {
    expect(words).toMatch(expected)
  }
  expect(html).toContain('href="/docs/errors#4711"')
  for (const secret of [access_token, refresh_token, app.production.clientSecret]) {
    expect(html).not.toContain(secret.slice(4))
  }
  const failed = await textOf(await member.get(`${path}?show=failed`))
  expect(failed).not.toContain(' 200 ')
  expect(await textOf(await member.get('/console'))).toMatch(/Calling .*? Last call on/)
})

test('the last 100 calls of an app are kept, and written behind its requests', async () => {
  const { id, production } = await register(member, { ...planner, name: 'Busy' })
  const send = () => token(pages.server, production, { grant_type: 'client_credentials' })
  for (let sent = 0; sent < 105; sent++) await send()
  const path = `${overviewOf(id)}/calls`
  const countShown = async () =>
    (await (await member.get(path)).text()).match(/<td class="mono">/g)?.length
  const { read } = pages.server.ctx.db
  const countStored = async () =>
    (await read.selectFrom('app_calls').select('id').where('app_id', '=', id).execute()).length
  expect([await countShown(), await countStored()]).toEqual([100, 100])
  for (let sent = 0; sent < 3; sent++) await send()
  expect([await countShown(), await countStored()]).toEqual([100, 100])
})

const updating = {
  'pick user:update:user': 'required',
  'pick meeting:read:list_meetings': 'required',
}

test('a body with hidden characters shows them in the calls, and holds up no call after it', async () => {
  const { id, production } = await register(member, { ...planner, name: 'Garbling' })
  await change(member, `${overviewOf(id)}/scopes?tab=production`, updating)
  const { access_token = '' } = await grantOf(pages.server, production)
  for (const character of ['\0', '\u202e']) {
    await pages.server.http('/v2/users/me', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: `{"a":${character}}`,
    })
  }
  const html = await (await member.get(`${overviewOf(id)}/calls`)).text()
  expect(html).toContain("Unexpected token '\\x00")
  expect(html).toContain('&lt;U+202E>')
  expect(html.match(/<td class="mono">/g)?.length).toBe(3)
})

test('no error that an app gets repeats a secret in the log of its calls', async () => {
  const { id, production } = await register(member, { ...planner, name: 'Leaking' })
  await change(member, `${overviewOf(id)}/scopes?tab=production`, updating)
  const { access_token = '', refresh_token = '' } = await grantOf(pages.server, production)
  const marks = [production.clientSecret, access_token, refresh_token, 'eyJhbGci.eyJzdWIi.c2lnbmF0']
  for (const mark of [...marks, `x${production.clientSecret}`, 'guest@secret.test']) {
    const named = { [mark]: mark }
    for (const key of ['grant_type', 'code', 'refresh_token', 'client_assertion', 'resource']) {
      await token(pages.server, production, { grant_type: 'refresh_token', ...named, [key]: mark })
    }
    const at = encodeURIComponent(mark)
    const body = { method: 'PATCH', body: JSON.stringify({ ...named, language: named }) }
    const broken = { method: 'PATCH', body: `{"a":${mark}` }
    for (const [path, init] of [
      [`/v2/users/${at}`, {}],
      [`/v2/users/me/meetings?${at}=${at}&page_size=${at}&type=${at}&next_page_token=${at}`, {}],
      ['/v2/users/me', body],
      ['/v2/users/me', broken],
    ] as const) {
      const type = { 'content-type': 'application/json' }
      const headers = { authorization: `Bearer ${access_token}`, ...type }
      await pages.server.http(path, { ...init, headers })
    }
    await member.get(`${authorizePath(production)}&${at}=${at}&${at}=&scope=${at}`)
  }
  const html = await (await member.get(`${overviewOf(id)}/calls`)).text()
  expect(html.match(/<td class="mono">/g)?.length).toBeGreaterThan(40)
  for (const mark of [...marks.map((one) => one.slice(4)), 'guest@secret.test']) {
    expect(html).not.toContain(mark)
  }
})

test('every node shows the calls that an app made at another node', async () => {
  const app = await register(member, { ...planner, name: 'Roaming' })
  const { database, clock } = pages.server
  const second = await startTestServer({ database, clock })
  onTestFinished(second.stop)
  await token(second, app.production, { grant_type: 'client_credentials' })
  await second.runJob('writing calls of apps')
  const page = await member.get(`${overviewOf(app.id)}/calls`)
  expect(await textOf(page)).toContain('Only chatbots may use client_credentials')
})

test('the redirects page says the rule of the server, and each address it allows is accepted', async () => {
  const app = await register(member, { ...planner, name: 'Ruling' })
  const path = `${overviewOf(app.id)}/redirects`
  const words = await textOf(await member.get(path))
  expect(words).toContain('in production only 127.0.0.1, [::1] and localhost')
  const save = async (development: string) =>
    (await change(member, path, { development, production: '' })).status
  const allowed = [
    'https://a.test:8443/c',
    'http://[::1]:1/c',
    'http://b.test/',
    'com.example.app:/c',
  ]
  for (const address of allowed) expect([address, await save(address)]).toEqual([address, 303])
  const refused = ['https://a.test/#c', 'https://*.a.test/', 'https://u@a.test/', 'app:/c']
  for (const address of refused) expect([address, await save(address)]).toEqual([address, 400])
})
