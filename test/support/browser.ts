import { spawnSync } from 'node:child_process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterFile } from './cleanup.ts'
import { noteLack } from './lacking.ts'
import { ceilingMs } from './waiting.ts'
import { words } from './words.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether Chromium is installed. */
export const hasChromium = spawnSync(executablePath, ['--version']).status === 0
if (!hasChromium) {
  noteLack(executablePath, 'apt-get install chromium, or set CHROMIUM to the path of another one')
}

/** Options that stop Chromium from contacting its vendor. */
const quiet = words(`
  --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
  --disable-component-update --disable-sync
`)

/** Chromium's message when a test types into a field before `autofocus` has run. */
const typedFirst =
  'Autofocus processing was blocked because a document already has a focused element.'

export interface Visit {
  page: Page
  /** Console messages, such as CSP violations and failed loads. */
  complaints: string[]
  /** Addresses that the page requested. */
  requests: string[]
}

export interface VisitOptions {
  /** The Cookie header that the browser sends to the address. */
  readonly cookie?: string
  readonly javaScriptEnabled?: boolean
  readonly timezoneId?: string
}

let launched: Promise<Browser> | undefined

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: quiet, timeout: ceilingMs })
  afterFile(() => {
    launched = undefined
    return browser.close()
  })
  return browser
}

/** Opens a page in a new profile. The browser closes after the file's tests. */
export async function openPage(
  url: string,
  { cookie, ...options }: VisitOptions = {},
): Promise<Visit> {
  launched ??= launch()
  const context = await (await launched).newContext(options)
  context.setDefaultTimeout(ceilingMs)
  context.setDefaultNavigationTimeout(ceilingMs)
  if (cookie) await context.addCookies(cookiesFor(url, cookie))
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  // Listen on the context, which includes windows that the page opens.
  context.on('console', (message) => {
    if (message.text() !== typedFirst) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(url)
  return { page, complaints, requests }
}

const cookiesFor = (url: string, header: string) =>
  header.split('; ').map((pair) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? []
    return { url: new URL(url).origin, name, value, httpOnly: true, sameSite: 'Lax' as const }
  })
