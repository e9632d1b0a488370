import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { appOf, credentialsOf, declare, password } from '../support/apps.ts'
import { hasChromium } from '../support/browser.ts'
import { allow as allowByHttp, overviewOf } from '../support/console.ts'
import type { Pages } from '../support/pages.ts'
import { browsePages, startApp } from './visits.ts'

describe.skipIf(!hasChromium)('the developer console in a browser', () => {
  const browser = browsePages()
  const { visitAs, look, expectSound } = browser
  let pages: Pages
  let callback: string
  let legacy: string

  beforeAll(async () => {
    pages = browser.pages
    callback = `http://127.0.0.1:${await startApp((_req, res) => res.end('<title>App</title>'))}/callback`
    legacy = appOf(pages.applied, 'Legacy').id
    const owner = await pages.signIn('owner@acme.test')
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

  /** Clicks a button, and the one of the same name on the confirmation page. */
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

  test('a developer registers an app, gets tokens, changes scopes and rotates a secret', async () => {
    const { page, complaints } = await visitAs('member@acme.test', '/my/apps')
    await page.getByRole('link', { name: 'Console', exact: true }).click()
    await page.getByRole('link', { name: 'Register an app' }).click()
    await page.getByLabel('Name').fill('Planner')
    await page.getByLabel('Redirect addresses').fill(callback)
    await choose(page, 'user:read:user', 'Required')
    await page.getByRole('button', { name: 'Register' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Planner is registered',
    )
    await page.waitForLoadState()
    const production = await secretsOn(page, 'Production')
    const [secretToken = ''] = await secretsOn(page, 'Webhooks')
    expect(secretToken).toMatch(/^swt_/)
    await page.getByRole('link', { name: 'Go to the app' }).click()
    const overview = page.url()
    await page.waitForLoadState()
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
    await page.waitForLoadState()
    const [, rotated = ''] = await secretsOn(page, 'Production')
    expect(rotated).not.toBe(production[1])
    expect((await allow(page, [production[0] ?? '', rotated])).access_token).toMatch(/^sat_/)
    expect((await allow(page, production)).access_token).toMatch(/^sat_/)
    expect(complaints).toEqual([])
    await page.context().close()
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
      expect(await page.evaluate(unnamedFields)).toEqual([])
      await expectSound(seen, /the server responded with a status of 404/)
    },
  )
})

/** Text areas and groups without a name for a screen reader. */
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
