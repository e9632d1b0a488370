import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../support/apps.ts'
import { violationsOf } from '../support/axe.ts'
import { openPage, type Visit, type VisitOptions } from '../support/browser.ts'
import { startPages } from '../support/pages.ts'

/** Starts a server with accounts and apps, and opens its pages in browsers. */
export async function browsePages() {
  const pages = await startPages()
  const visit = (path: string): Promise<Visit> => openPage(pages.server.url + path)
  const cookieOf = async (email: string) => (await pages.signIn(email)).cookie()
  const visitAs = async (email: string, path: string): Promise<Visit> =>
    openPage(pages.server.url + path, { cookie: await cookieOf(email) })
  const signedInVisitor = async (email: string | undefined) =>
    createVisitor(pages.server.url, email === undefined ? {} : { cookie: await cookieOf(email) })
  const visitors = new Map<string | undefined, Promise<ReturnType<typeof createVisitor>>>()
  return {
    pages,
    visit,
    /** Opens a page as a signed-in user, in a new browser profile. */
    visitAs,
    /** Opens a page as a user, or signed out, and reuses the browser profile of earlier calls. */
    async open(email: string | undefined, path: string): Promise<Visit> {
      const visitor = visitors.get(email) ?? signedInVisitor(email)
      visitors.set(email, visitor)
      return (await visitor)(path)
    },
    expectSound: (seen: Visit, accepted: RegExp) => expectSound(seen, pages.server.url, accepted),
  }
}

/** Returns elements that overflow the viewport horizontally. */
export function widerThanScreen(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1,
  )
  return wide.slice(0, 8).map(({ tagName, className }) => `${tagName}.${className}`)
}

/** Expects a page without axe violations, overflow, foreign content or console messages. */
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
  // The scripts that copy and filter are the only scripts.
  const foreign =
    'script:not([src*="/copy.js?v="], [src*="/filter.js?v="]), iframe, style, base, object, embed'
  expect(await page.locator(foreign).count()).toBe(0)
  for (const url of requests) expect(new URL(url).origin).toBe(origin)
}

/** Fills in and submits the sign-in page. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Returns a function that opens pages of a server in one browser profile, one at a time. */
export function createVisitor(origin: string, options?: VisitOptions) {
  let previous: Visit | undefined
  return async (path: string): Promise<Visit> => {
    const url = origin + path
    previous = previous ? await revisit(previous, url) : await openPage(url, options)
    return previous
  }
}

/** Opens another page in the profile of a visit, with the visit's state reset. */
async function revisit(visit: Visit, url: string): Promise<Visit> {
  visit.complaints.length = 0
  visit.requests.length = 0
  await visit.page.setViewportSize({ width: 1280, height: 720 })
  await visit.page.emulateMedia({ colorScheme: 'light' })
  await visit.page.goto(url)
  return visit
}
