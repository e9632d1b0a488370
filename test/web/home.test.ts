import { describe, expect, test } from 'vitest'
import { hasChromium, openPage } from '../support/browser.ts'
import { startDemoServer } from '../support/demo-server.ts'

describe.skipIf(!hasChromium)('walks from the home page in a browser', async () => {
  const server = await startDemoServer()

  test.each([true, false])(
    'an example task leads to the command that installs a skill (scripts: %s)',
    async (javaScriptEnabled) => {
      const { page } = await openPage(server.url, { javaScriptEnabled })
      await page.getByRole('link', { name: 'Fill in a PDF form' }).click()
      await page.locator('.resolved h3 a').first().click()
      const install = page.getByText(`npx skills add ${server.url}/skillpass/skills/fill-pdf-form`)
      await install.waitFor()
    },
  )

  test('a task in the box is resolved', async () => {
    const { page } = await openPage(server.url)
    await page.getByLabel('Describe a task').fill('find outliers in a CSV file')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/resolve\?task=find\+outliers/)
    expect(await page.locator('.resolved h3 a').first().innerText()).toBe('analyse-csv')
  })

  test.each([true, false])(
    'the home page leads to the four commands that publish a folder (scripts: %s)',
    async (javaScriptEnabled) => {
      const { page } = await openPage(server.url, { javaScriptEnabled })
      await page.getByRole('link', { name: 'Publish your own' }).click()
      for (const command of ['register', 'lint', 'publish', 'open']) {
        await page
          .locator('.command', { hasText: `skillpass ${command} ` })
          .first()
          .waitFor()
      }
      await page.getByRole('heading', { name: 'What its page shows' }).waitFor()
    },
  )
})
