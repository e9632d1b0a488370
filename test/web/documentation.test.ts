import { beforeAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { hasChromium, openBrowser } from '../support/web/browser.ts'
import { widerThanScreen } from './audit.ts'

describe.skipIf(!hasChromium)('what developers read, in a browser', async () => {
  const server = await startTestServer()
  let open: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    open = await openBrowser()
  })

  /** Opens a page of a width. */
  const at = async (width: number, path: string) => {
    const { page } = await open(server.url + path)
    await page.setViewportSize({ width, height: 800 })
    return page
  }

  test.each([1280, 390])(
    'the documentation is not wider than %i px; its tables are readable',
    async (width) => {
      const page = await at(width, '/docs/')
      const table = page.locator('.info table').nth(1)
      await table.waitFor()
      expect(await page.evaluate(widerThanScreen)).toEqual([])
      const shape = await table.evaluate((one) => ({
        broken: [...one.querySelectorAll('code')].filter((code) => code.getClientRects().length > 1)
          .length,
        // The text of a cell ends before the next cell begins.
        gaps: [...one.querySelectorAll('td')].map((cell) => {
          const range = document.createRange()
          range.selectNodeContents(cell)
          return cell.getBoundingClientRect().right - range.getBoundingClientRect().right
        }),
      }))
      expect(shape.broken).toBe(0)
      expect(shape.gaps.length).toBeGreaterThan(100)
      expect(Math.min(...shape.gaps)).toBeGreaterThan(10)
    },
  )
})
