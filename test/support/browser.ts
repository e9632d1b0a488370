import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { words } from './words.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether this machine can run the tests in a browser; says so where it cannot. */
export const hasChromium = existsSync(executablePath)
if (!hasChromium) {
  console.warn(`Skipped: tests in a browser, because there is no ${executablePath}.`)
  console.warn('CHROMIUM names another one.')
}

/** Keeps Chromium from calling home. */
const quiet = words(`
  --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
  --disable-component-update --disable-sync
`)

export interface Visit {
  page: Page
  /** What the console says: violations of the policy and failures to load among it. */
  complaints: string[]
  /** Addresses that were asked for. */
  requests: string[]
}

/** Opens pages in a real browser, each in a profile of its own, and closes it after the tests. */
export async function openBrowser() {
  const browser = await chromium.launch({ executablePath, args: quiet })
  afterAll(() => browser.close())
  return async (url: string): Promise<Visit> => {
    const page = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    const requests: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(url)
    return { page, complaints, requests }
  }
}
