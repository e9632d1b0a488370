import { buildOpenApi } from '@skillpass/openapi'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violationsOf } from '../support/axe.ts'
import { hasChromium, openPage } from '../support/browser.ts'
import { startDemoServer } from '../support/demo-server.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

/** Most bytes that the page may transfer. Its files are 2.7 MB uncompressed. */
const maxTransferBytes = 550_000

describe.skipIf(!hasChromium)('the API reference in a browser', async () => {
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
    // Chromium logs hints about the forms of Swagger UI.
    const problems = () => complaints.filter((message) => !message.startsWith('[DOM] '))
    return { page, problems, bytes: () => received }
  }

  const operation = (page: Page, id: string) =>
    page.locator(`.opblock[id$="-${id.replaceAll('.', '\\\\.')}"]`)

  /** Filters for an operation and executes it with its example values. Returns the response. */
  const tryOut = async (page: Page, id: string) => {
    await page.fill('.operation-filter-input', id)
    const block = operation(page, id)
    await block.locator('.opblock-summary-control').click()
    await block.locator('.try-out__btn').click()
    await block.locator('.execute').click()
    const response = block.locator('.live-responses-table')
    return {
      status: (await response.locator('.response-col_status').last().innerText()).trim(),
      body: await response.locator('.response-col_description').last().innerText(),
    }
  }

  /** Positions of the security schemes and flows in the dialog. */
  const positions = { clientBasic: 1, authorizationCode: 3, clientCredentials: 4 }

  /** Authorizes with one scheme or flow in the dialog. */
  async function authorize(
    page: Page,
    name: keyof typeof positions,
    act: (container: Locator) => Promise<void>,
  ) {
    await page.locator('.auth-wrapper .authorize').first().click()
    const container = page.locator('.auth-container').nth(positions[name])
    await act(container)
    await container.locator('button', { hasText: 'Logout' }).waitFor()
    await page.locator('.modal-ux .btn-done').first().click()
  }

  test('the four first steps are visible without scrolling, and the operations follow', async () => {
    const { page, problems, bytes } = await docs(wide)
    const last = await page.locator('.first-steps .card').nth(3).boundingBox()
    expect((last?.y ?? wide.height) + (last?.height ?? 0)).toBeLessThan(wide.height)
    expect(await page.title()).toBe('API · Skillpass')
    expect(await page.locator('.opblock').count()).toBe(0)
    expect(bytes()).toBeLessThan(maxTransferBytes)
    for (const screen of [wide, narrow]) {
      await page.setViewportSize(screen)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(screen.width)
    }
    expect(problems()).toEqual([])
  })

  test('the filter finds operations by words', async () => {
    const { page } = await docs(wide)
    await page.fill('.operation-filter-input', 'STAR remove')
    await operation(page, 'registry.skills.unstar').waitFor()
    expect(await page.locator('.opblock').count()).toBe(1)
    await page.fill('.operation-filter-input', '')
    await page.locator('.opblock').waitFor({ state: 'detached' })
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10)
  })

  test('an operation shows its first answer, and the others on demand', async () => {
    const { page } = await docs(wide)
    await page.fill('.operation-filter-input', 'registry.skills.search')
    const block = operation(page, 'registry.skills.search')
    await block.locator('.opblock-summary-control').click()
    const answers = block.locator('.responses-table tr.response')
    await block.getByText('Show 4 other answers').waitFor()
    expect(await answers.count()).toBe(1)
    await block.getByText('Show 4 other answers').click()
    await expect.poll(() => answers.count()).toBe(5)
  })

  test('the page and what it opens are accessible in light and dark colors', async () => {
    const { page } = await docs(wide)
    expect(await violationsOf(page)).toEqual([])
    await tryOut(page, 'registry.skills.search')
    expect(await violationsOf(page)).toEqual([])
    await page.locator('.auth-wrapper .authorize').first().click()
    await page.locator('.modal-ux').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('the page without scripts has every operation with its credential, and is accessible', async () => {
    const { page } = await openPage(`${server.url}/docs`)
    await page.route('**/docs/*.js', (route) => route.abort())
    await page.reload()
    expect((await page.content()).length).toBeLessThan(90_000)
    const operations = page.locator('details.operation')
    const documented = Object.values(buildOpenApi().paths).flatMap(Object.keys)
    expect(await operations.count()).toBe(documented.length)
    const publish = operations.filter({ hasText: 'Publish a skill' }).first()
    expect(await publish.locator('small').innerText()).toBe('API key')
    await publish.locator('summary').first().click()
    await expect
      .poll(() => publish.innerText())
      .toMatch(/name.*readme.*Answer 201:.*other answers/s)
    expect(await violationsOf(page)).toEqual([])
  })

  test('typing into the prefilled client id replaces it', async () => {
    const { page } = await docs(wide)
    await page.locator('.auth-wrapper .authorize').first().click()
    const field = page.locator('input[id^="client_id"]').first()
    expect(await field.inputValue()).toBe('demo-docs')
    await field.click()
    await page.keyboard.type('mine')
    expect(await field.inputValue()).toBe('mine')
  })

  test('a user authorizes with PKCE, and the API is called with the token', async () => {
    const { page, problems } = await docs(narrow)
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
    expect(problems()).toEqual([])
  })

  test('an app authorizes with client credentials or Basic authentication', async () => {
    const { page, problems } = await docs(wide)
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
    // The server rejects credentials in both the header and the form.
    const { status, body } = await tryOut(page, 'oauth.token')
    expect(status).toMatch(/^200/)
    expect(body).toContain('"access_token"')
    expect(problems()).toEqual([])
  })
})

describe.skipIf(!hasChromium)('the filter of a reference page in a browser', async () => {
  const server = await startDemoServer()

  test('the rows that contain all words stay, with their headings, and their number is shown', async () => {
    const { page } = await openPage(`${server.url}/docs/errors`)
    const rows = page.locator('tbody tr:visible')
    const all = await rows.count()
    await page.getByLabel('Filter the errors').fill('4711 api')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await page.locator('h2:visible').count()).toBe(1)
    expect(await page.locator('.filter [role="status"]').innerText()).toBe(`1 of ${all}`)
    await page.getByLabel('Filter the errors').fill('')
    await expect.poll(() => rows.count()).toBe(all)
  })

  test('a reference page without scripts has all rows and no filter', async () => {
    const { page } = await openPage(`${server.url}/docs/scopes`, { javaScriptEnabled: false })
    expect(await page.locator('tbody tr:visible').count()).toBeGreaterThan(20)
    expect(await page.locator('.filter:visible').count()).toBe(0)
  })
})
