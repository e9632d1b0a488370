import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium, openPage } from '../support/browser.ts'
import { startDemoServer } from '../support/demo-server.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

/** More than the page weighed when this was written, and far from the 2.7 MB of all its files uncompressed. */
const mostBytes = 550_000

describe.skipIf(!hasChromium)('the documentation in a browser', async () => {
  const server = await startDemoServer()

  const docs = async (screen: typeof wide) => {
    const { page, complaints } = await openPage('about:blank')
    await page.setViewportSize(screen)
    let received = 0
    const wire = await page.context().newCDPSession(page)
    await wire.send('Network.enable')
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
      received += encodedDataLength
    })
    await page.goto(`${server.url}/docs`)
    await page.locator('.opblock-tag').first().waitFor()
    // Chromium has hints about the forms of Swagger UI.
    const seen = () => complaints.filter((said) => !said.startsWith('[DOM] '))
    return { page, seen, bytes: () => received }
  }

  const operation = (page: Page, id: string) =>
    page.locator(`.opblock[id$="-${id.replaceAll('.', '\\\\.')}"]`)

  /** Finds an operation with the filter and tries it with its examples; returns the answer. */
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

  /** Places of the schemes and flows in the dialog. */
  const places = { clientBasic: 1, authorizationCode: 3, clientCredentials: 4 }

  /** Opens the dialog, authorizes with one scheme or flow and closes the dialog. */
  async function authorize(
    page: Page,
    name: keyof typeof places,
    act: (container: Locator) => Promise<void>,
  ) {
    await page.locator('.auth-wrapper .authorize').first().click()
    const container = page.locator('.auth-container').nth(places[name])
    await act(container)
    await container.locator('button', { hasText: 'Logout' }).waitFor()
    await page.locator('.modal-ux .btn-done').first().click()
  }

  const expectWithin = async (page: Page, { width, height }: typeof wide) => {
    const first = await page.locator('.opblock-tag').first().boundingBox()
    expect((first?.y ?? height) + (first?.height ?? 0)).toBeLessThan(height)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }

  test('the documentation opens at its operations on any screen and finds them by words', async () => {
    const { page, seen, bytes } = await docs(wide)
    await expectWithin(page, wide)
    expect(await page.title()).toBe('API · Skillpass')
    expect(await page.locator('.site-header a.brand').getAttribute('href')).toBe('/')
    expect(await page.locator('.opblock').count()).toBe(0)
    expect(bytes()).toBeLessThan(mostBytes)
    await page.fill('.operation-filter-input', 'STAR take')
    await operation(page, 'registry.skills.unstar').waitFor()
    expect(await page.locator('.opblock').count()).toBe(1)
    await page.fill('.operation-filter-input', '')
    await page.locator('.opblock').waitFor({ state: 'detached' })
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10)
    await page.setViewportSize(narrow)
    await expectWithin(page, narrow)
    expect(seen()).toEqual([])
  })

  test('the documentation authorizes a user with PKCE and calls the API with the token', async () => {
    const { page, seen } = await docs(narrow)
    await authorize(page, 'authorizationCode', async (container) => {
      expect(await container.locator('input[id^="client_id"]').inputValue()).toBe('demo-docs')
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        container.locator('button.authorize').click(),
      ])
      await popup.fill('input[name="email"]', 'user@acme.test')
      await popup.fill('input[name="password"]', server.password)
      await popup.locator('main button[type="submit"]').click()
      await Promise.all([
        popup.waitForEvent('close'),
        popup.locator('button', { hasText: 'Allow' }).click(),
      ])
    })
    const { status, body } = await tryOut(page, 'platform.users.get')
    expect(status).toMatch(/^200/)
    expect(body).toContain('"user@acme.test"')
    expect(seen()).toEqual([])
  })

  test('the documentation sends the credentials of an app as its token and as Basic', async () => {
    const { page, seen } = await docs(wide)
    const [botId = '', botSecret = ''] = server.variable('HELPER_BOT').split(':')
    await authorize(page, 'clientCredentials', async (container) => {
      await container.locator('input[id^="client_id"]').fill(botId)
      await container.locator('input[id^="client_secret"]').fill(botSecret)
      await container.locator('.checkbox label').first().click()
      await container.locator('button.authorize').click()
    })
    expect((await tryOut(page, 'platform.chat.send')).status).toMatch(/^201/)
    const [id = '', secret = ''] = server.variable('REPORTER').split(':')
    await authorize(page, 'clientBasic', async (container) => {
      await container.locator('input').nth(0).fill(id)
      await container.locator('input').nth(1).fill(secret)
      await container.locator('button.authorize').click()
    })
    // The server refuses credentials that are both in the header and in the form.
    const { status, body } = await tryOut(page, 'oauth.token')
    expect(status).toMatch(/^200/)
    expect(body).toContain('"access_token"')
    expect(seen()).toEqual([])
  })
})
