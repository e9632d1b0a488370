import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { startDemoServer } from '../support/demo-server.ts'

const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** More than the page weighed when this was written, and far from the 2.7 MB of all its files as they are. */
const mostBytes = 550_000

describe.skipIf(!hasChromium)('/docs in a browser', async () => {
  const server = await startDemoServer()
  let open: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    open = await openBrowser()
  })

  /** The page with its operations, on a screen. */
  const docs = async (screen: (typeof screens)[number]) => {
    const { page, complaints } = await open('about:blank')
    await page.setViewportSize(screen)
    let received = 0
    const wire = await page.context().newCDPSession(page)
    await wire.send('Network.enable')
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
      received += encodedDataLength
    })
    page
      .context()
      .on('page', (popup) => popup.on('console', (said) => complaints.push(said.text())))
    await page.goto(`${server.url}/docs`)
    await page.locator('.opblock-tag').first().waitFor()
    // Chromium's hints about forms are about those of Swagger UI.
    const seen = () => complaints.filter((said) => !said.startsWith('[DOM] '))
    return { page, seen, bytes: () => received }
  }

  const operation = (page: Page, id: string) =>
    page.locator(`.opblock[id$="-${id.replaceAll('.', '\\\\.')}"]`)

  /** Opens an operation by the filter, tries it with its examples and gives what was answered. */
  const tryOut = async (page: Page, id: string) => {
    await page.fill('.operation-filter-input', id)
    const block = operation(page, id)
    await block.locator('.opblock-summary-control').click()
    await block.locator('.try-out__btn').click()
    await block.locator('.execute').click()
    const answer = block.locator('.live-responses-table')
    return {
      status: (await answer.locator('.response-col_status').last().innerText()).trim(),
      body: await answer.locator('.response-col_description').last().innerText(),
    }
  }

  /** The part of the dialog for a scheme or a flow, by its place in the document. */
  const places = { clientBasic: 1, authorizationCode: 3, clientCredentials: 4 }
  const part = (page: Page, name: keyof typeof places) =>
    page.locator('.auth-container').nth(places[name])

  test.each(screens)('opens at its operations on %o', async (screen) => {
    const { page, seen, bytes } = await docs(screen)
    const first = await page.locator('.opblock-tag').first().boundingBox()
    expect((first?.y ?? screen.height) + (first?.height ?? 0)).toBeLessThan(screen.height)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(screen.width)
    expect(await page.title()).toBe('API · Skillpass')
    expect(await page.locator('.site-header a.brand').getAttribute('href')).toBe('/')
    expect(await page.locator('.opblock').count()).toBe(0)
    expect(bytes()).toBeLessThan(mostBytes)
    expect(seen()).toEqual([])
  })

  test('finds an operation by words of its path and of what it does', async () => {
    const { page } = await docs(screens[0])
    await page.fill('.operation-filter-input', 'STAR take')
    await operation(page, 'registry.skills.unstar').waitFor()
    expect(await page.locator('.opblock').count()).toBe(1)
    await page.fill('.operation-filter-input', '')
    await page.locator('.opblock').waitFor({ state: 'detached' })
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10)
  })

  test.each(screens)(
    'authorizes as a user with PKCE and calls the API with the token on %o',
    async (screen) => {
      const { page, seen } = await docs(screen)
      await page.locator('.auth-wrapper .authorize').first().click()
      const container = part(page, 'authorizationCode')
      expect(await container.locator('input[id^="client_id"]').inputValue()).toBe('demo-docs')
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        container.locator('button.authorize').click(),
      ])
      await popup.fill('input[name="email"]', 'user@testAccounts.test')
      await popup.fill('input[name="password"]', server.password)
      await popup.locator('main button[type="submit"]').click()
      await Promise.all([
        popup.waitForEvent('close'),
        popup.locator('button', { hasText: 'Allow' }).click(),
      ])
      await container.locator('button', { hasText: 'Logout' }).waitFor()
      await page.locator('.modal-ux .btn-done').first().click()
      const { status, body } = await tryOut(page, 'platform.users.get')
      expect(status).toMatch(/^200/)
      expect(body).toContain('"user@testAccounts.test"')
      expect(seen()).toEqual([])
    },
  )

  test('authorizes as a chatbot and sends a message with the token', async () => {
    const { page, seen } = await docs(screens[0])
    const [id = '', secret = ''] = server.variable('HELPER_BOT').split(':')
    await page.locator('.auth-wrapper .authorize').first().click()
    const container = part(page, 'clientCredentials')
    await container.locator('input[id^="client_id"]').fill(id)
    await container.locator('input[id^="client_secret"]').fill(secret)
    await container.locator('.checkbox label').first().click()
    await container.locator('button.authorize').click()
    await container.locator('button', { hasText: 'Logout' }).waitFor()
    await page.locator('.modal-ux .btn-done').first().click()
    expect(await tryOut(page, 'platform.chat.send')).toMatchObject({
      status: expect.stringMatching(/^201/),
    })
    expect(seen()).toEqual([])
  })

  test('sends the parameters of a token request once, in the query', async () => {
    const { page, seen } = await docs(screens[0])
    const [id = '', secret = ''] = server.variable('REPORTER').split(':')
    await page.locator('.auth-wrapper .authorize').first().click()
    const container = part(page, 'clientBasic')
    await container.locator('input').nth(0).fill(id)
    await container.locator('input').nth(1).fill(secret)
    await container.locator('button.authorize').click()
    await page.locator('.modal-ux .btn-done').first().click()
    const { status, body } = await tryOut(page, 'oauth.token')
    expect(status).toMatch(/^200/)
    expect(body).toContain('"access_token"')
    expect(seen()).toEqual([])
  })

  test.each(screens)('has pages to look up errors and scopes on %o', async (screen) => {
    for (const path of [
      'errors#4711',
      'errors#NOT_FOUND',
      'scopes#user:read:user',
      'guide#webhooks',
    ]) {
      const { page, complaints } = await open('about:blank')
      await page.setViewportSize(screen)
      await page.goto(`${server.url}/docs/${path}`)
      await page.locator(':target').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(screen.width)
      expect(complaints).toEqual([])
    }
  })
})
