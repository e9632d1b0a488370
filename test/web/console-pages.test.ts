import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { appOf, credentialsOf, declare, password } from '../support/apps.ts'
import { hasChromium } from '../support/browser.ts'
import { allow as allowByHttp, overviewOf } from '../support/console.ts'
import type { Pages } from '../support/pages.ts'
import { browsePages, startApp } from './visits.ts'

describe.skipIf(!hasChromium)('the developer console, in a browser', () => {
  const browser = browsePages()
  const { visitAs, expectSound } = browser
  let pages: Pages
  let callback: string
  let legacy: string

  beforeAll(async () => {
    pages = browser.pages
    callback = `http://127.0.0.1:${await startApp((_req, res) => res.end('<title>App</title>'))}/callback`
    legacy = appOf(pages.applied, 'Legacy').id
    const owner = await pages.signIn('owner@testAccounts.test')
    await allowByHttp(pages, owner, credentialsOf(pages.applied, 'Directory'))
    const name = 'evil <script>window.hacked=1</script> " onload=x'
    const admin = { email: 'admin@other.test', password, role: 'admin' } as const
    await declare(pages.server, {
      accounts: [{ name: 'Other', users: [admin] }],
      apps: [{ name, account: 'Other', type: 'chatbot' }],
    })
  })

  const urlOf = (path: string) => `${pages.server.url}${path}`

  const choose = (page: Page, scope: string, choice: string) =>
    page.getByRole('group', { name: scope, exact: true }).getByLabel(choice).check()

  const secretsOn = (page: Page, within: string) =>
    page.getByRole('region', { name: within }).locator('.secret').allTextContents()

  async function token(app: string[], form: Record<string, string>) {
    const [client_id = '', client_secret = ''] = app
    const body = new URLSearchParams({ client_id, client_secret, ...form })
    const response = await pages.server.http('/oauth/token', { method: 'POST', body })
    const answer: Record<string, string> = await response.json()
    return answer
  }

  /** Clicks a button, and the one of the same name on the page that asks. */
  const clickTwice = async (page: Page, name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('link', { name: 'Cancel' }).waitFor()
    await page.getByRole('button', { name }).click()
  }

  /** Allows an app, with the optional scopes as they stand, and gives the tokens. */
  async function allow(page: Page, app: string[]) {
    const query = { response_type: 'code', client_id: app[0] ?? '', redirect_uri: callback }
    await page.goto(urlOf(`/oauth/authorize?${new URLSearchParams(query)}`))
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${callback}**`)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    return token(app, { grant_type: 'authorization_code', code, redirect_uri: callback })
  }

  test('lead a developer from registering an app to a token and to what people are asked', async () => {
    const { page, complaints } = await visitAs('member@testAccounts.test', '/my/apps')
    await page.getByRole('link', { name: 'Console', exact: true }).click()
    await page.getByRole('link', { name: 'Register an app' }).click()
    await page.getByLabel('Name').fill('Planner')
    await page.getByLabel('Redirect addresses').fill(callback)
    await choose(page, 'user:read:user', 'Required')
    await page.getByRole('button', { name: 'Register' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Planner is registered',
    )
    const production = await secretsOn(page, 'Production')
    const [secretToken = ''] = await secretsOn(page, 'Webhooks')
    expect(secretToken).toMatch(/^swt_/)
    await page.getByRole('link', { name: 'Go to the app' }).click()
    const overview = page.url()
    const shown = await page.content()
    for (const secret of [production[1] ?? '', secretToken]) expect(shown).not.toContain(secret)

    expect((await allow(page, production)).scope).toBe('user:read:user')
    await page.goto(overview)
    await page.getByRole('link', { name: 'Scopes' }).click()
    await page.getByRole('link', { name: 'Production' }).click()
    await choose(page, 'meeting:write:meeting', 'Optional')
    await page.getByRole('button', { name: 'Save scopes' }).click()
    expect(await page.getByRole('status').textContent()).toBe('Scopes saved.')
    const query = { response_type: 'code', client_id: production[0] ?? '', redirect_uri: callback }
    await page.goto(urlOf(`/oauth/authorize?${new URLSearchParams(query)}`))
    expect(await page.getByLabel('meeting:write:meeting').isChecked()).toBe(false)

    await page.goto(overview)
    await clickTwice(page, 'Rotate secret of Production')
    const [, rotated = ''] = await secretsOn(page, 'Production')
    expect(rotated).not.toBe(production[1])
    expect((await allow(page, [production[0] ?? '', rotated])).access_token).toMatch(/^sat_/)
    expect((await allow(page, production)).access_token).toMatch(/^sat_/)

    await page.goto(overview)
    await page.getByLabel('Public', { exact: true }).check()
    await page.getByRole('button', { name: 'Save settings' }).click()
    expect(await page.locator('.badges').first().textContent()).toContain('Public')
    await clickTwice(page, 'Disable')
    await page.goto(urlOf(`/oauth/authorize?${new URLSearchParams(query)}`))
    expect(await page.locator('main').textContent()).toContain('4717')
    await page.goto(overview)
    await page.getByRole('button', { name: 'Enable' }).click()
    expect((await allow(page, [production[0] ?? '', rotated])).access_token).toMatch(/^sat_/)
    const refused = /the server responded with a status of 400|Autofocus processing was blocked/
    expect(complaints.filter((text) => !refused.test(text))).toEqual([])
    await page.context().close()
  })

  test('offer, without a script, the choices that the chosen kind of app has', async () => {
    const { page } = await visitAs('admin@testAccounts.test', '/console/new')
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

  test('are used by keyboard: the choices of a scope are one stop, and the focus is seen', async () => {
    const { page } = await visitAs('member@testAccounts.test', '/console/new')
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
    ['the console', 'admin@testAccounts.test', () => '/console'],
    ['a new app', 'admin@testAccounts.test', () => '/console/new'],
    ['an app', 'admin@testAccounts.test', () => overviewOf(appOf(pages.applied, 'Scheduler').id)],
    ['a disabled app', 'admin@testAccounts.test', () => overviewOf(appOf(pages.applied, 'Off').id)],
    [
      'scopes',
      'admin@testAccounts.test',
      () => `${overviewOf(appOf(pages.applied, 'Franchise').id)}/scopes`,
    ],
    ['a migration', 'admin@testAccounts.test', () => `${overviewOf(legacy)}/scopes/migration`],
    ['redirects', 'admin@testAccounts.test', () => `${overviewOf(legacy)}/redirects`],
    ['webhooks', 'admin@testAccounts.test', () => `${overviewOf(legacy)}/webhooks`],
    [
      'the messages of a bot',
      'admin@testAccounts.test',
      () => `${overviewOf(appOf(pages.applied, 'Helper bot').id)}/messages`,
    ],
    ['a hostile name', 'admin@other.test', () => '/console'],
    ['an app of nobody', 'member@testAccounts.test', () => overviewOf('nothing')],
    ['approvals', 'admin@careful.test', () => '/my/approvals'],
    ['the apps of an account', 'admin@testAccounts.test', () => '/my/apps'],
  ]

  test.each(looks)(
    'are readable, fit a phone, name every control and load nothing else: %s',
    async (_name, email, path) => {
      const seen = await visitAs(email, path())
      const { page } = seen
      await page.waitForSelector('h1')
      if (path() === '/my/apps') await page.getByRole('region', { name: 'whole account' }).waitFor()
      expect(await page.evaluate(unnamedFields)).toEqual([])
      // The second: on the page of signing in, where the test is faster than the browser.
      await expectSound(
        seen,
        /the server responded with a status of 404|Autofocus processing was blocked/,
      )
      await page.context().close()
    },
  )
})

/** Fields for several lines, and groups of choices, that a screen reader has no name for. */
function unnamedFields(): string[] {
  const found: string[] = []
  for (const field of document.querySelectorAll('textarea')) {
    if (!field.labels?.length) found.push(field.outerHTML)
  }
  for (const group of document.querySelectorAll('fieldset')) {
    if (!group.querySelector('legend')?.textContent?.trim()) found.push(group.outerHTML)
  }
  for (const described of document.querySelectorAll('[aria-describedby]')) {
    for (const id of (described.getAttribute('aria-describedby') ?? '').split(' ')) {
      if (!document.getElementById(id)) found.push(`described by nothing: ${id}`)
    }
  }
  return found
}
