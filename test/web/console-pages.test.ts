import { beforeAll, describe, expect, test } from 'vitest'
import { appOf, credentialsOf, declare, password } from '../support/apps.ts'
import { hasChromium } from '../support/browser.ts'
import type { Pages } from '../support/pages.ts'
import { allow, overviewOf } from './console.ts'
import { browsePages } from './visits.ts'

describe.skipIf(!hasChromium)('the developer console in a browser', () => {
  const browser = browsePages()
  const { visitAs, look, expectSound } = browser
  let pages: Pages
  let legacy: string

  beforeAll(async () => {
    pages = browser.pages
    legacy = appOf(pages.applied, 'Legacy').id
    const owner = await pages.signIn('owner@acme.test')
    await allow(pages, owner, credentialsOf(pages.applied, 'Directory'))
    const name = 'evil <script>window.hacked=1</script> " onload=x'
    const admin = { email: 'admin@other.test', password, role: 'admin' } as const
    await declare(pages.server, {
      accounts: [{ name: 'Other', users: [admin] }],
      apps: [{ name, account: 'Other', type: 'chatbot' }],
    })
  })

  test('the form to register an app shows the fields of the chosen kind without a script', async () => {
    const { page } = await visitAs('admin@acme.test', '/console/new')
    const shows = (label: string) =>
      page.getByRole('group', { name: label, exact: true }).isVisible()
    const redirects = page.getByLabel('Redirect addresses')
    const admins = 'user:read:user:admin'
    expect([await shows('user:read:user'), await shows(admins)]).toEqual([true, false])
    await page.getByLabel('Account', { exact: true }).check()
    expect([await shows(admins), await redirects.isVisible()]).toEqual([true, true])
    await page.getByLabel('Server-to-server').check()
    expect([await shows(admins), await shows('Level')]).toEqual([true, false])
    const optional = page.getByRole('group', { name: admins }).getByText('Optional')
    expect([await redirects.isVisible(), await optional.isVisible()]).toEqual([false, false])
    await page.getByLabel('Chatbot').check()
    expect([await shows(admins), await shows('user:read:user')]).toEqual([false, false])
    await page.context().close()
  })

  test('the keyboard chooses a scope in one stop, and the focus is visible', async () => {
    const { page } = await visitAs('member@acme.test', '/console/new')
    const off = page.getByRole('group', { name: 'user:read:user' }).getByLabel('Off')
    await off.focus()
    await page.keyboard.press('ArrowRight')
    const required = page.getByRole('group', { name: 'user:read:user' }).getByLabel('Required')
    expect(await required.isChecked()).toBe(true)
    const outline = await page.evaluate(
      'getComputedStyle(document.activeElement.nextElementSibling).outlineStyle',
    )
    expect(outline).toBe('solid')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.name')).toBe('pick user:update:user')
    await page.context().close()
  })

  const looks: [string, string, () => string][] = [
    ['an empty console', 'member@careful.test', () => '/console'],
    ['the console', 'admin@acme.test', () => '/console'],
    ['the form to register an app', 'admin@acme.test', () => '/console/new'],
    ['an app', 'admin@acme.test', () => overviewOf(appOf(pages.applied, 'Scheduler').id)],
    ['a disabled app', 'admin@acme.test', () => overviewOf(appOf(pages.applied, 'Off').id)],
    [
      'the scopes of an app',
      'admin@acme.test',
      () => `${overviewOf(appOf(pages.applied, 'Franchise').id)}/scopes`,
    ],
    ['a migration of scopes', 'admin@acme.test', () => `${overviewOf(legacy)}/scopes/migration`],
    ['redirect addresses', 'admin@acme.test', () => `${overviewOf(legacy)}/redirects`],
    ['webhooks', 'admin@acme.test', () => `${overviewOf(legacy)}/webhooks`],
    [
      'the messages of a bot',
      'admin@acme.test',
      () => `${overviewOf(appOf(pages.applied, 'Helper bot').id)}/messages`,
    ],
    ['an app with a hostile name', 'admin@other.test', () => '/console'],
    ['an unknown app', 'member@acme.test', () => overviewOf('nothing')],
    ['approvals', 'admin@careful.test', () => '/my/approvals'],
    ['the apps of an account', 'admin@acme.test', () => '/my/apps'],
  ]

  test.each(looks)(
    'a browser finds %s readable, fit for a phone, with named controls and without foreign content',
    async (_name, email, path) => {
      const seen = await look(email, path())
      const { page } = seen
      await page.waitForSelector('h1')
      if (path() === '/my/apps') await page.getByRole('region', { name: 'whole account' }).waitFor()
      await expectSound(seen, /the server responded with a status of 404/)
    },
  )
})
