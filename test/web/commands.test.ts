import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium, openPage, type VisitOptions } from '../support/browser.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, publish } from '../support/skills.ts'
import { widerThanScreen } from './visits.ts'

describe.skipIf(!hasChromium)('commands on pages in a browser', async () => {
  const server = await startTestServer()
  const agent = await server.agent('commander')
  const slug = 'a-skill-with-a-name-that-is-rather-long-as-names-go'
  const address = addressOf(await publish(agent, { slug }))

  const visit = async (path: string, options: VisitOptions = {}) =>
    (await openPage(server.url + path, options)).page
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test.each([1440, 390])('commands wrap at a width of %i px', async (width) => {
    for (const path of ['/', address, `/${agent.username}/skills`]) {
      const page = await visit(path)
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(widerThanScreen)).toEqual([])
      const hidden = await page
        .locator('.command pre')
        .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
      expect(hidden.length).toBeGreaterThan(0)
      expect(hidden.every((pixels) => pixels <= 0)).toBe(true)
    }
  })

  test('the copy button copies the command, by mouse and by keyboard', async () => {
    const page = await visit(address)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const commands = page.locator('.command')
    const first = commands.nth(0)
    await first.getByRole('button', { name: 'Copy the command' }).click()
    await expect.poll(() => first.getByRole('status').textContent()).toBe('Copied')
    expect(await clipboard(page)).toBe(await first.locator('code').textContent())

    await page.getByText('Other ways').click()
    const second = commands.nth(1)
    await second.locator('pre').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await second.getByText('Copied').first().waitFor()
    expect(await clipboard(page)).toBe(await second.locator('code').textContent())
  })

  test('the copy button selects the command if the clipboard is unavailable', async () => {
    const page = await visit(address)
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await page.getByRole('button', { name: 'Copy the command' }).first().click()
    await page.getByText('Selected').first().waitFor()
    expect(await page.evaluate(() => String(getSelection()))).toMatch(/^npx skills add /)
  })

  test('commands have no copy button if scripts are disabled', async () => {
    const page = await visit(address, { javaScriptEnabled: false })
    expect(await page.locator('.command code').count()).toBe(3)
    expect(await page.locator('.command button').count()).toBe(0)
  })
})
