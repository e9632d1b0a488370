import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  accountOf,
  appOf,
  callback,
  credentialsOf,
  declare,
  generalApp,
  makeApp,
  password,
  userOf,
} from '../support/apps.ts'
import { hasChromium, openPage } from '../support/browser.ts'
import { listener, makeMeeting } from '../support/meetings.ts'
import { grantOf } from '../support/oauth-server.ts'
import { overviewOf, planner, postNewApp } from './console.ts'
import { browsePages } from './visits.ts'

const hostile = '<script>window.hacked=1</script> \u202eevil " onload=x'
const [member, admin, owner] = ['member@acme.test', 'admin@acme.test', 'owner@acme.test']
const careful = 'admin@careful.test'

describe.skipIf(!hasChromium)('pages of the platform in a browser', async () => {
  const { pages, visit, visitAs, open, expectSound } = await browsePages()
  const name = hostile.replace('\u202e', '')
  const other = { email: 'admin@other.test', password, role: 'admin' } as const
  const applied = await declare(pages.server, {
    accounts: [{ name: 'Other', users: [other] }],
    apps: [
      { name, account: 'Other', type: 'chatbot' },
      generalApp('Census', ['user:read:list_users:admin'], { level: 'account' }),
    ],
  })
  await grantOf(pages.server, credentialsOf(applied, 'Census'), { email: owner })

  const authorize = pages.authorizePath
  const consoleOf = (app: string, tab = '') => overviewOf(appOf(pages.applied, app).id) + tab

  /** Creates a meeting of the member and returns its path. */
  const meeting = async (more = {}) => {
    return `/meetings/${(await makeMeeting(pages.server, member, more)).id}`
  }
  /** Reports that an app allowed by the host has access to the meeting's audio and transcript. */
  const listen = async (path: string, app = credentialsOf(pages.applied, 'Scheduler')) => {
    const { access_token } = await grantOf(pages.server, app)
    for (const content_type of ['audio', 'transcript']) {
      const id = Number(path.replace('/meetings/', ''))
      await listener(pages.server, access_token).report(id, { content_type })
    }
  }
  const icon = (page: Page) => page.getByRole('link', { name: 'Apps have access to this meeting' })

  const checkedPages: [string, string | undefined, string | (() => Promise<string>)][] = [
    ['the sign-in page', undefined, '/sign-in'],
    ['the sign-in page for an app', undefined, authorize('Scheduler')],
    ['the sign-up page', undefined, '/sign-up'],
    ['the account', member, '/account'],
    ['joining a meeting', undefined, '/meetings'],
    ['an unknown app', undefined, '/oauth/authorize?client_id=nobody'],
    [
      'a wrong address',
      undefined,
      authorize('Scheduler', { redirect_uri: `${callback}\u202e${'/long'.repeat(90)}` }),
    ],
    ['the consent page', member, authorize('Scheduler')],
    ['an app that needs approval', 'member@careful.test', authorize('Legacy')],
    ['an app to approve', careful, authorize('Legacy')],
    ['an app of another account', 'member@other.test', authorize('Private')],
    ['device entry', member, '/oauth_device'],
    ['a wrong device code', member, '/oauth/device/complete/BCDF-GHJK'],
    ['added apps', member, '/my/apps'],
    ['the apps of an account', admin, '/my/apps'],
    ['approvals', careful, '/my/approvals'],
    ['a refused form', member, '/oauth/consent'],
    ['an empty console', 'member@careful.test', '/console'],
    ['the console', admin, '/console'],
    ['an app with a hostile name', 'admin@other.test', '/console'],
    ['the choice of what to build', admin, '/console/new'],
    ['the form to register an app', admin, '/console/new?type=general'],
    ['the form to register a service', admin, '/console/new?type=server-to-server'],
    ['an app', admin, consoleOf('Scheduler')],
    ['a disabled app', admin, consoleOf('Off')],
    ['an unknown app of the console', member, overviewOf('nothing')],
    ['the scopes of an app', admin, consoleOf('Franchise', '/scopes')],
    ['a migration of scopes', admin, consoleOf('Legacy', '/scopes/migration')],
    ['redirect addresses', admin, consoleOf('Legacy', '/redirects')],
    ['webhooks', admin, consoleOf('Legacy', '/webhooks')],
    [
      'the calls of an app',
      admin,
      async () => {
        for (const grant_type of ['client_credentials', 'x']) {
          await pages.token('Scheduler', { grant_type })
        }
        return consoleOf('Scheduler', '/calls')
      },
    ],
    ['the messages of a bot', admin, consoleOf('Helper bot', '/messages')],
    ['the form for a passcode', undefined, meeting],
    ['the answer to a wrong passcode', undefined, async () => `${await meeting()}?pwd=wrong`],
    ['the meeting of the host', member, async () => `${await meeting()}/start`],
    [
      'a meeting with an app that listens',
      member,
      async () => {
        const path = await meeting({ agenda: `First the numbers.\nThen ${'long'.repeat(60)}` })
        await listen(path)
        return path
      },
    ],
    [
      'a meeting with hostile names',
      undefined,
      async () => {
        const path = await meeting({ topic: name, agenda: name })
        for (const name of [hostile.replace('\u202e', ''), 'W'.repeat(100)]) {
          await listen(path, await makeApp(pages.server, name, ['meeting:read:meeting']))
        }
        return `${path}?pwd=a1B2c3`
      },
    ],
    ...(['join', 'leave'] as const).map((act): (typeof checkedPages)[number] => [
      `a meeting in progress that a guest can ${act}`,
      undefined,
      async () => {
        const { id } = await makeMeeting(pages.server, member)
        await pages.server.meetings.start(id)
        const path = `/meetings/${id}?pwd=a1B2c3`
        const guest = pages.stranger()
        const html = await (await guest.get(path)).text()
        const form = { name: `${name}${'W'.repeat(80)}` }
        const { headers } = await guest.submit(html, `/meetings/${id}/join`, form)
        return act === 'join' ? path : (headers.get('location') ?? '')
      },
    ]),
  ]

  test.each(checkedPages)(
    '%s is accessible, fits a phone and loads no foreign content',
    async (_, email, path) => {
      const seen = await open(email, typeof path === 'string' ? path : await path())
      const { page } = seen
      await page.waitForSelector('h1')
      if (await icon(page).count()) await icon(page).focus()
      await expectSound(seen, /the server responded with a status of 40[034]/)
      expect(await page.title()).not.toMatch(/sco_|sac_|[A-Z]{4}-[A-Z]{4}/)
    },
  )

  test('the in-meeting indicator has a tooltip for mouse, keyboard and screen readers', async () => {
    const path = await meeting()
    await listen(path)
    const { page } = await visit(`${path}?pwd=a1B2c3`)
    const tooltip = page.locator('#indicator-tip')
    expect(await tooltip.isVisible()).toBe(false)
    await icon(page).hover()
    expect(await tooltip.isVisible()).toBe(true)
    await page.mouse.move(0, 0)
    await expect.poll(() => tooltip.isVisible()).toBe(false)
    await icon(page).focus()
    expect(await tooltip.isVisible()).toBe(true)
    expect(await icon(page).getAttribute('aria-describedby')).toBe('indicator-tip')
    expect(await tooltip.getAttribute('role')).toBe('tooltip')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#apps$/)
  })

  test.each([
    [true, 'Monday, 23 November 2026 at 04:30 (your time, America/New_York)'],
    [false, 'Monday, 23 November 2026 at 10:30 (Europe/Berlin)'],
  ])('a meeting is shown once in the zone of the reader (JavaScript: %s)', async (on, shown) => {
    const cookie = (await pages.signIn('member@acme.test')).cookie()
    const options = { cookie, javaScriptEnabled: on, timezoneId: 'America/New_York' }
    const { page } = await openPage(pages.server.url + (await meeting()), options)
    expect((await page.locator('time.zoned').textContent())?.trim()).toBe(shown)
    for (const name of ['meeting number', 'passcode', 'invitation']) {
      const button = page.getByRole('button', { name: `Copy the ${name}` })
      expect(await button.count()).toBe(on ? 1 : 0)
    }
  })

  test('registration asks what one builds, and then shows the fields of that type', async () => {
    const { page } = await visitAs(admin, '/console/new')
    const shows = (label: string) =>
      page.getByRole('group', { name: label, exact: true }).isVisible()
    const redirects = page.getByLabel('Redirect addresses')
    const admins = 'user:read:user:admin'
    await page.getByRole('link', { name: 'An app that people sign in to' }).click()
    expect([await shows('user:read:user'), await shows(admins)]).toEqual([true, false])
    await page.getByRole('radio', { name: 'Account', exact: true }).check()
    expect([await shows(admins), await redirects.isVisible()]).toEqual([true, true])
    await page.getByRole('link', { name: 'Build something else' }).click()
    await page.getByRole('link', { name: 'A script or service' }).click()
    expect([await shows(admins), await shows('Level')]).toEqual([true, false])
    const optional = page.getByRole('group', { name: admins }).getByText('Optional')
    expect([await redirects.count(), await optional.count()]).toEqual([0, 0])
  })

  test('the secrets of a new app and its quick start are accessible and can be copied', async () => {
    const session = await pages.signIn(member)
    const made = await postNewApp(session, { ...planner, name: 'Copied' })
    const path = made.headers.get('location') ?? ''
    const seen = await openPage(pages.server.url + path, { cookie: session.cookie() })
    await seen.page.getByText('TypeScript').click()
    expect(await seen.page.getByRole('button', { name: 'Copy the command' }).count()).toBe(2)
    await expectSound(seen, /^$/)
  })

  test('the filter of scopes shows only the scopes with the words', async () => {
    const { page } = await visitAs(admin, consoleOf('Scheduler', '/scopes'))
    await page.getByLabel('Filter').fill('delete')
    expect(await page.locator('.picks li:visible').allInnerTexts()).toEqual([
      expect.stringContaining('meeting:delete:meeting'),
    ])
    expect(await page.locator('.picks:visible').count()).toBe(1)
  })

  test('a scope is one keyboard stop, and the focus is visible', async () => {
    const { page } = await visitAs(member, '/console/new?type=general')
    const scope = page.getByRole('group', { name: 'user:read:token' })
    await scope.getByLabel('Off').focus()
    await page.keyboard.press('ArrowRight')
    expect(await scope.getByLabel('Required').isChecked()).toBe(true)
    const outline = await page.evaluate(
      'getComputedStyle(document.activeElement.nextElementSibling).outlineStyle',
    )
    expect(outline).toBe('solid')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.name')).toBe('pick user:read:settings')
  })

  test('the audit log shows the owner who did what, when and from which network, page by page', async () => {
    const { ctx, clock } = pages.server
    const who = { who_kind: 'user', who: userOf(pages.applied, member).id }
    const operator = { who_kind: 'operator', who: 'root' }
    const whom = { whom_kind: 'app', whom: appOf(pages.applied, 'Scheduler').id }
    const rest = { account_id: accountOf(pages.applied, 'Acme').id, network: '203.0.113.0/24' }
    const nobody = { who_kind: 'unknown', whom_kind: 'user', whom: who.who }
    const entries = [
      ...Array.from({ length: 50 }, () => ({ action: 'sign-in', ...who })),
      { action: 'app.changed', ...who, ...whom, note: 'name, production.redirect_uris' },
      { action: 'client-secret.rotated', ...operator, ...whom, note: 'not shown' },
      { action: 'sign-in.failed', ...nobody, count: 12 },
      { action: 'consent.allowed', ...who, ...whom },
    ].map((entry) => {
      clock.advance(60_000)
      return { id: ctx.random.uuid(), at: clock.now(), ...rest, ...entry }
    })
    for (const entry of entries) {
      await ctx.db.write((trx) => trx.insertInto('audit_entries').values(entry).execute())
    }
    const seen = await visitAs(owner, '/console')
    const { page } = seen
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.waitForLoadState()
    const rows = page.locator('main li', { has: page.getByRole('heading', { level: 2 }) })
    expect(await rows.count()).toBe(50)
    const texts = await rows.allInnerTexts()
    for (const [at, text] of [
      owner,
      /Allowed an app: Scheduler\s+By member@acme.test.*203\.0\.113\.0\/24/s,
      /Failed to sign in: member@acme.test\s+12 attempts/,
      /By the operator of this service(?!.*not shown)/s,
      'By member@acme.test, changed name, production redirect addresses',
    ].entries()) {
      expect(texts[at]).toMatch(text)
    }
    await expectSound(seen, /^$/)
    await page.getByRole('link', { name: 'Older entries' }).click()
    await expect.poll(() => rows.first().innerText()).not.toBe(texts[0])
    await page.getByRole('link', { name: 'Newest entries' }).click()
    await expect.poll(() => rows.first().innerText()).toBe(texts[0])
    await page.getByLabel('Action').selectOption('Changed an app')
    await page.getByLabel('Person or app').fill('Scheduler')
    await page.getByRole('button', { name: 'Filter' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.innerText()).toContain('Changed an app: Scheduler')
    await rows.getByRole('link', { name: member }).click()
    await expect.poll(() => rows.count()).toBe(50)
    await page.getByLabel('Person or app').fill('nobody@acme.test')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('No such entries').waitFor()
  })
})
