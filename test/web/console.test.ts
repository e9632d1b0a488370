import { expect, test } from 'vitest'
import { appOf, callback, declare } from '../support/apps.ts'
import { grantOf, token } from '../support/oauth-server.ts'
import { startPages } from '../support/pages.ts'
import { hiddenFields, type Session } from '../support/people.ts'
import { words } from '../support/words.ts'
import {
  authorizePath,
  change,
  formWith,
  overviewOf,
  planner,
  postNewApp,
  register,
  secretsOf,
} from './console.ts'
import { locationOf, textOf } from './responses.ts'

const settings = { visibility: 'private', level: 'user' }

const pages = await startPages()
const member = await pages.signIn('member@acme.test')
const stranger = await pages.signIn('member@other.test')
const admin = await pages.signIn('admin@acme.test')

test('registering an app shows its working secrets', async () => {
  const newcomer = await pages.signIn('member@careful.test')
  expect(await textOf(await newcomer.get('/console'))).toContain('Register your first app')
  const app = await register(member, { ...planner, name: 'Planner' })
  for (const environment of ['development', 'production'] as const) {
    const { scope } = await grantOf(pages.server, app[environment], {
      ticked: 'meeting:write:meeting',
    })
    expect(scope).toBe('user:read:user meeting:write:meeting')
  }
  const secrets = [app.development.clientSecret, app.production.clientSecret, app.secretToken]
  expect(secrets).toEqual([
    expect.stringMatching(/^scs_/),
    expect.stringMatching(/^scs_/),
    expect.stringMatching(/^swt_/),
  ])
  for (const page of ['', '/scopes', '/redirects', '/webhooks', '/scopes/migration']) {
    const html = await (await member.get(overviewOf(app.id) + page)).text()
    for (const secret of secrets) expect(html).not.toContain(secret)
  }
  expect(await textOf(await member.get('/console'))).toMatch(/Planner .* General Development/)
})

test('new secrets survive a reload until they are copied, for their session and an hour only', async () => {
  const app = await register(member, { ...planner, name: 'Copying' })
  const path = `${overviewOf(app.id)}/secrets`
  const shown = async (session: Session) => {
    const page = await session.get(path)
    return page.status === 200
      ? (await page.text()).includes(app.production.clientSecret)
      : page.status
  }
  expect([await shown(member), await shown(member)]).toEqual([true, true])
  const again = await pages.signIn('member@acme.test')
  const stolen = await again.get(path, { cookie: `${again.cookie()}; ${secretsCookie(member)}` })
  expect([locationOf(stolen), locationOf(await admin.get(path))]).toEqual(
    Array(2).fill(overviewOf(app.id)),
  )
  const rotate = { action: `${overviewOf(app.id)}/rotate`, text: 'value="development"' }
  expect(locationOf(await change(member, overviewOf(app.id), {}, rotate))).toBe(path)
  const rotated = await (await member.get(path)).text()
  expect(rotated).toContain(app.production.clientSecret)
  expect(rotated).not.toContain(app.development.clientSecret)
  const copied = await change(member, path, {})
  expect(locationOf(copied)).toBe(`${overviewOf(app.id)}?done=copied`)
  expect(await shown(member)).toBe(303)
  const late = await register(member, { ...planner, name: 'Late' })
  pages.server.clock.advance(3_600_001)
  expect((await member.get(`${overviewOf(late.id)}/secrets`)).status).toBe(303)
})

const secretsCookie = (session: Session) => /skillpass_secrets=[^;]+/.exec(session.cookie())?.[0]

test('registration asks what one builds, and offers a server-to-server app nothing about people', async () => {
  const choices = await textOf(await admin.get('/console/new'))
  expect(choices).toMatch(/A script or service .* An app that people sign in to .* A chat bot/)
  expect(await textOf(await member.get('/console/new'))).toContain('Only admins of your account')
  expect((await admin.get('/console/new?type=robot')).status).toBe(400)
  const service = await admin.get('/console/new?type=server-to-server')
  const html = await service.clone().text()
  expect(html).toMatch(/name="pick user:read:user:admin" value="required" checked/)
  expect(await textOf(service)).not.toMatch(/[Yy]our profile|Redirect|Optional|Level/)
  const path = overviewOf((await register(admin, { name: 'Nightly', type: 'server-to-server' })).id)
  const overview = await admin.get(path)
  expect(await textOf(overview)).toContain('This app has no scopes')
  expect(await textOf(await admin.get('/console'))).toMatch(/Nightly .*? No scopes/)
  expect(await (await admin.get(path)).text()).not.toContain('visibility')
  expect((await change(admin, path, { name: 'Hourly' })).status).toBe(303)
})

test('the form for a new app links to the own app that has the name already', async () => {
  const { id } = await register(member, { ...planner, name: 'Twin' })
  const link = `href="${overviewOf(id)}"`
  expect(await (await postNewApp(member, { name: 'Twin' })).text()).toContain(link)
  const colleague = await postNewApp(await pages.signIn('owner@acme.test'), { name: 'Twin' })
  expect(await colleague.text()).toContain(link)
  const hidden = await postNewApp(member, { name: 'Scheduler' })
  expect(await hidden.text()).not.toContain('Open it')
})

test.each([
  ['no name', { name: ' ' }, 'Must not be empty.'],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'Must be at most 100 characters.'],
  ['a name that is taken', { name: 'Scheduler' }, 'already has an app with this name'],
  [
    'invalid addresses',
    { redirect_uris: 'https://a.test/\r\n\r\nhttps://b.test/#c\r\nftp://d' },
    'Line 3: must not have a fragment. Line 4: must not have the reserved scheme ftp:',
  ],
  [
    'a kind of app that only admins manage',
    { type: 'server-to-server' },
    'Only an admin of the account can manage server-to-server apps.',
  ],
])('the form for a new app explains %s and retains the input', async (...[, typed, words]) => {
  const response = await postNewApp(member, { ...planner, name: 'Typed', ...typed })
  expect(response.status).toBe(400)
  const html = await response.clone().text()
  expect(await textOf(response)).toContain(words)
  expect(html).toContain('role="alert"')
  expect(html).toMatch(/name="pick user:read:user" value="required" checked/)
  const choice = 'type' in typed ? 'required' : 'optional'
  expect(html).toContain(`name="pick meeting:write:meeting" value="${choice}" checked`)
  const { name = 'Typed', redirect_uris = callback } = { ...typed } as Record<string, string>
  expect(html).toContain(`name="name" value${name.trim() && `="${name}"`} required`)
  if ('type' in typed) return
  expect(html.replaceAll('\r', '')).toContain(`${redirect_uris.replaceAll('\r', '')}</textarea>`)
})

test('the console lists apps page by page', async () => {
  const apps = Array.from({ length: 51 }, (_, index) => ({
    name: `App ${String(index).padStart(2, '0')}`,
    account: 'Careful',
    type: 'general' as const,
  }))
  await declare(pages.server, { apps })
  const admin = await pages.signIn('admin@careful.test')
  const first = await (await admin.get('/console')).text()
  expect(first).not.toContain('App 50')
  const more = /href="(\/console\?after=[^"]+)"/.exec(first)?.[1] ?? ''
  const second = await admin.get(more)
  expect(await textOf(second)).toContain('App 50')
  expect((await admin.get('/console?after=nothing')).status).toBe(400)
})

const own = await register(member, { ...planner, name: 'Own' })
const scheduler = appOf(pages.applied, 'Scheduler').id
const subpages = [
  '',
  '/calls',
  '/scopes',
  '/scopes/migration',
  '/redirects',
  '/webhooks',
  '/messages',
]

test('only the developer of an app and the admins of the account can open its pages', async () => {
  for (const page of subpages) {
    const statusFor = async (session: Session, id: string) =>
      (await session.get(overviewOf(id) + page)).status
    expect(await statusFor(member, own.id)).toBe(200)
    expect(await statusFor(admin, own.id)).toBe(200)
    expect(await statusFor(stranger, own.id)).toBe(404)
    expect(await statusFor(member, scheduler)).toBe(404)
    expect(await statusFor(admin, 'nothing')).toBe(404)
    expect(await statusFor(admin, '%00')).toBe(404)
    const signedOut = await pages.stranger().get(overviewOf(own.id) + page)
    expect(locationOf(signedOut)).toMatch(/^\/sign-in\?return_to=%2Fconsole%2Fapps/)
  }
  expect(await textOf(await member.get('/console'))).not.toContain('Scheduler')
  expect(await textOf(await admin.get('/console'))).toContain('Scheduler')
  expect(await textOf(await stranger.get('/console'))).not.toContain('Own')
})

test.each([
  ['?after=%00', 200],
  ['?after=x&after=y', 200],
  ['?after=x', 400],
  ['/apps/%FF', 400],
  ['/apps/%00/webhooks', 404],
  [`/apps/${'x'.repeat(5000)}`, 404],
  ['/apps/OWN?done=x&done=y', 200],
  ['/apps/OWN?done=constructor', 200],
  ['/apps/OWN/webhooks?after=%00', 200],
  ['/apps/OWN/webhooks?after=nothing', 400],
  ['/apps/OWN/scopes?tab=%00', 200],
  ['/apps/OWN/scopes/migration?tab=x', 400],
])('/console%s returns status %i and shows no confirmation', async (path, expected) => {
  const address = `/console${path.replace('OWN', own.id)}`
  const response = await member.get(address)
  expect(response.status).toBe(expected)
  expect(await response.text()).not.toContain('class="notice" role="status"')
})

test('a form without the token of its browser and purpose does not change an app', async () => {
  const path = overviewOf(own.id)
  const html = await (await member.get(path)).text()
  const { csrf = '' } = hiddenFields(html, path)
  const { csrf: rotating = '' } = hiddenFields(html, `${path}/rotate`)
  const others = words(`/rotate /delete /availability /scopes /scopes/migration /redirects /webhooks
      /webhooks/validation /webhooks/test /webhooks/secret /webhooks/deliveries`)
  for (const page of ['', ...others]) {
    const refused = [
      await member.post(path + page, {}),
      await member.post(path + page, { csrf: page === '' ? rotating : csrf }),
      await admin.post(path + page, { csrf }),
    ]
    expect([page, ...refused.map(({ status }) => status)]).toEqual([page, 403, 403, 403])
  }
  expect((await member.post('/console/new', { csrf, name: 'X' })).status).toBe(403)
})

test('an app that the operator disabled has no form to enable it', async () => {
  const path = overviewOf(appOf(pages.applied, 'Off').id)
  const page = await admin.get(path)
  expect(await textOf(page.clone())).toContain('The platform has disabled this app')
  expect(await page.text()).not.toContain(`action="${path}/availability"`)
})

test('disabling an app and rotating a secret ask for confirmation, and Cancel returns', async () => {
  const app = await register(member, { ...planner, name: 'Asking' })
  const path = overviewOf(app.id)
  const confirmations: [string, string, string, RegExp][] = [
    [
      path,
      `${path}/availability`,
      '',
      /^Disable Asking \? Until you enable it again, nobody can allow it/,
    ],
    [path, `${path}/rotate`, 'value="production"', /^Rotate the production secret\?/],
    [`${path}/webhooks`, `${path}/webhooks/secret`, '', /^Rotate the secret token\?/],
  ]
  for (const [page, action, text, question] of confirmations) {
    const html = await (await member.get(page)).text()
    const form = formWith(html, action, text)
    expect(form).toMatch(/<button [^>]*name="ask" value="yes"/)
    const asked = await member.submit(form, action, { ask: 'yes' })
    expect(asked.status).toBe(200)
    const confirmation = await asked.clone().text()
    expect(await textOf(asked)).toMatch(question)
    expect(confirmation).toContain(`href="${page}"`)
    expect(secretsOf(confirmation)).toEqual([])
    expect((await member.get(authorizePath(app.production))).status).toBe(200)
    const done = await member.submit(confirmation, action, { end_previous: 'on' })
    const isRotation = locationOf(done) === `${path}/secrets`
    expect(isRotation || locationOf(done) === `${path}?done=disabled`).toBe(true)
    if (isRotation) expect(confirmation).toContain('End the previous secret now')
    else await change(member, path, {}, { action })
  }
  const previous = await token(pages.server, app.production, { grant_type: 'client_credentials' })
  expect(previous.status).toBe(401)
})

test('the settings of an app are saved, and refused settings are reported by field', async () => {
  const app = await register(member, { ...planner, name: 'Setting' })
  const path = overviewOf(app.id)
  const on = { device_flow: 'on', public_client: 'on' }
  const fields = { name: 'Set', visibility: 'private', level: 'account', ...on }
  expect((await change(member, path, fields)).status).toBe(303)
  const html = await (await member.get(path)).text()
  for (const one of ['device_flow', 'public_client', 'require_s256']) {
    expect(html).toMatch(new RegExp(`name="${one}" value="on" checked`))
  }
  expect(html).toMatch(/name="level" value="account" checked/)
  const admins = { environment: 'production', 'pick user:read:user:admin': 'required' }
  expect((await change(member, `${path}/scopes?tab=production`, admins)).status).toBe(303)
  const back = await change(member, path, { ...settings, name: 'Set' })
  expect(back.status).toBe(400)
  expect(await textOf(back)).toContain('A user-level app cannot have the admin scope')
  const taken = await change(member, path, { ...settings, level: 'account', name: 'Scheduler' })
  expect(taken.status).toBe(400)
  const words = await taken.text()
  expect(words).toContain('id="name-mistake"')
  expect(words).toContain('value="Scheduler"')
})
