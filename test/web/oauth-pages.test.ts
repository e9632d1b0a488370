import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { credentialsOf, declare, generalApp } from '../support/apps.ts'
import { hasChromium } from '../support/browser.ts'
import type { Pages } from '../support/pages.ts'
import { browsePages, signIn, startApp } from './visits.ts'

/** The server of an app, whose callback redirects to another origin. */
async function startAppServer() {
  const port = await startApp((req, res) => {
    const isCallback = req.url?.startsWith('/callback')
    if (isCallback) res.writeHead(302, { location: `http://localhost:${port}/home${req.url}` })
    else res.writeHead(200, { 'content-type': 'text/html' })
    res.end(isCallback ? '' : '<title>App</title>')
  })
  return { callback: `http://127.0.0.1:${port}/callback`, origin: `http://localhost:${port}` }
}

describe.skipIf(!hasChromium)('pages for people in a browser', () => {
  const browser = browsePages()
  const { visit, visitAs } = browser
  let pages: Pages
  let app: Awaited<ReturnType<typeof startAppServer>>
  let authorizePath: string
  let exchange: (code: string) => Promise<{ status: number; scope: string }>

  beforeAll(async () => {
    pages = browser.pages
    app = await startAppServer()
    const redirectUris = [app.callback]
    const applied = await declare(pages.server, {
      apps: [
        generalApp('Planner', ['user:read:user'], {
          optionalScopes: ['meeting:write:meeting', 'meeting:read:list_meetings'],
          redirectUris,
          deviceFlow: true,
        }),
      ],
    })
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: credentialsOf(applied, 'Planner').clientId,
      redirect_uri: app.callback,
      state: 'a+b/c= ü',
    })
    authorizePath = `/oauth/authorize?${query}`
    exchange = async (code) => {
      const { clientId, clientSecret } = credentialsOf(applied, 'Planner')
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.callback,
        client_id: clientId,
        client_secret: clientSecret,
      })
      const response = await pages.server.http('/oauth/token', { method: 'POST', body })
      return { status: response.status, ...(await response.json()) }
    }
  })

  const textOf = (page: Page) => page.locator('main').textContent()

  /** The parameters of the app's callback. */
  async function arrive(page: Page) {
    await page.waitForURL(`${app.origin}/**`)
    return new URL(page.url()).searchParams
  }

  test('a user signs in, consents and returns to the app with the checked scopes', async () => {
    const { page, complaints } = await visit(authorizePath)
    expect(await page.title()).toBe('Sign in · Skillpass')
    expect(await page.locator('main').textContent()).toContain('to continue to Planner by Acme')
    await signIn(page, 'member@acme.test')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Allow Planner to use your account?',
    )
    await expect.poll(() => textOf(page)).toContain('See your profile')
    expect(await textOf(page)).toContain('You are signed in as member@acme.test')
    const create = page.getByRole('checkbox', { name: 'meeting:write:meeting', exact: true })
    const list = page.getByLabel('meeting:read:list_meetings')
    expect([await create.isChecked(), await list.isChecked()]).toEqual([false, false])
    await page.getByText('Create meetings for you').click()
    expect(await create.isChecked()).toBe(true)
    await page.getByText('Create meetings for you').click()
    await list.check()
    await page.getByRole('button', { name: 'Allow' }).click()
    const query = await arrive(page)
    expect(query.get('state')).toBe('a+b/c= ü')
    expect(complaints).toEqual([])
    const { scope } = await exchange(query.get('code') ?? '')
    expect(scope).toBe('user:read:user meeting:read:list_meetings')
  })

  test('the keyboard decides on consent, and Enter in a checkbox denies', async () => {
    const { page } = await visitAs('member@acme.test', authorizePath)
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    const focus = () =>
      page.evaluate(
        '[document.activeElement.value, getComputedStyle(document.activeElement).outlineStyle]',
      )
    const seen: unknown[] = []
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab')
      seen.push(await focus())
      if (JSON.stringify(seen.at(-1)).startsWith('["allow"')) break
    }
    const stops = ['meeting:write:meeting', 'meeting:read:list_meetings', 'deny', 'allow']
    expect(seen.slice(-4)).toEqual(stops.map((value) => [value, 'solid']))
    await page.getByLabel('meeting:write:meeting').focus()
    await page.keyboard.press('Enter')
    expect((await arrive(page)).get('error')).toBe('access_denied')
  })

  test('a popup with the consent page keeps its opener', async () => {
    const { page } = await visitAs('member@acme.test', '/my/apps')
    await page.goto(app.origin)
    const popup = page.waitForEvent('popup')
    await page.evaluate(`void window.open(${JSON.stringify(pages.server.url + authorizePath)})`)
    const opened = await popup
    await opened.getByRole('button', { name: 'Allow' }).click()
    await arrive(opened)
    expect(await opened.evaluate('window.opener.document.title')).toBe('App')
  })

  test('another site can neither frame the consent page nor send a decision', async () => {
    const { page } = await visit(authorizePath)
    // The cookie must have the attributes that the server gives it.
    await signIn(page, 'member@acme.test')
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    const fields = await page
      .locator('form[action="/oauth/consent"] input[type=hidden]')
      .evaluateAll((all) => all.map((one) => one.outerHTML).join(''))
    // localhost is another site than 127.0.0.1.
    await page.route(`${app.origin}/attack`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${pages.server.url}${authorizePath}"></iframe>
          <form method="post" action="${pages.server.url}/oauth/consent">${fields}
          <button name="decision" value="allow">Go</button></form>`,
      }),
    )
    await page.goto(`${app.origin}/attack`)
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
    const answered = page.waitForResponse('**/oauth/consent')
    await page.getByRole('button', { name: 'Go' }).click()
    expect((await answered).status()).toBe(403)
    await expect.poll(() => textOf(page)).toContain('another site sent it')
    await page.goto(`${pages.server.url}/my/apps`)
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(1)
  })
})
