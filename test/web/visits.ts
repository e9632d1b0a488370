import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../support/apps.ts'
import { openPage, type Visit } from '../support/browser.ts'
import { startPages } from '../support/pages.ts'

/** A browser on the pages of a server with accounts and apps. */
export async function browsePages() {
  const pages = await startPages()
  const visit = (path: string): Promise<Visit> => openPage(pages.server.url + path)
  const visitAs = async (email: string, path: string): Promise<Visit> => {
    const session = await pages.signIn(email)
    return openPage(pages.server.url + path, { cookie: session.cookie() })
  }
  const visits = new Map<string | undefined, Visit>()
  return {
    pages,
    visit,
    /** Opens a page as a user who is signed in. */
    visitAs,
    /** Opens a page as a user, or signed out, in the profile of their former look. */
    async look(email: string | undefined, path: string): Promise<Visit> {
      const former = visits.get(email)
      if (former) return revisit(former, pages.server.url + path)
      const first = email ? await visitAs(email, path) : await visit(path)
      visits.set(email, first)
      return first
    },
    expectSound: (seen: Visit, accepted: RegExp) => expectSound(seen, pages.server.url, accepted),
  }
}

/** What axe finds wrong with a page; of the dark scheme, which changes nothing but colours, its contrast. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const find = (rules?: string[]) =>
    page.evaluate(async (runOnly) => {
      const { axe: injected } = window as unknown as { axe: typeof axe }
      const { violations } = await injected.run(runOnly ? { runOnly } : {})
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }, rules)
  const light = await find()
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await find(['color-contrast']))]
}

/** Elements that stick out of the screen, unless they scroll inside another one. */
export function widerThanScreen(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1,
  )
  return wide.slice(0, 8).map(({ tagName, className }) => `${tagName}.${className}`)
}

/** Readable, fit for a phone, every control with a name, nothing run and nothing else loaded. */
export async function expectSound(
  { page, complaints, requests }: Visit,
  origin: string,
  accepted: RegExp,
): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(widerThanScreen)).toEqual([])
  expect(complaints.filter((text) => !accepted.test(text))).toEqual([])
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  // The one script is our own, for commands that can be copied.
  const foreign = 'script:not([src^="/assets/copy.js?v="]), iframe, style, base, object, embed'
  expect(await page.locator(foreign).count()).toBe(0)
  for (const url of requests) expect(new URL(url).origin).toBe(origin)
}

/** Fills in the page of signing in. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens another page in the profile of a visit, as if it were the first. */
export async function revisit(visit: Visit, url: string): Promise<Visit> {
  visit.complaints.length = 0
  visit.requests.length = 0
  await visit.page.setViewportSize({ width: 1280, height: 720 })
  await visit.page.emulateMedia({ colorScheme: 'light' })
  await visit.page.goto(url)
  return visit
}
