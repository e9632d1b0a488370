import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { credentialsOf, makeApp } from '../support/apps.ts'
import { hasChromium } from '../support/browser.ts'
import { listener, meetingOf } from '../support/meetings.ts'
import { grantOf } from '../support/oauth-server.ts'
import type { Pages } from '../support/pages.ts'
import { browsePages } from './visits.ts'

const host = 'member@acme.test'
const hostile = '<script>window.hacked=1</script> \u202eevil " onload=x'

describe.skipIf(!hasChromium)('the page of a meeting in a browser', () => {
  const browser = browsePages()
  const { visit, look, expectSound } = browser
  let pages: Pages
  beforeAll(() => {
    pages = browser.pages
  })
  const live = (more = {}) =>
    meetingOf({ ctx: pages.server.ctx, applied: pages.applied }, host, more)

  /** Reports that an app that the host has allowed listens. */
  async function listen(meetingId: number, app = credentialsOf(pages.applied, 'Scheduler')) {
    const { access_token } = await grantOf(pages.server, app)
    for (const content_type of ['audio', 'transcript']) {
      await listener(pages.server, access_token).report(meetingId, { content_type })
    }
  }

  const icon = (page: Page) => page.getByRole('link', { name: 'Apps have access to this meeting' })
  const tooltip = (page: Page) => page.locator('#indicator-tip')

  test('the icon of an app that listens has a tooltip for the mouse, the keyboard and screen readers', async () => {
    const { id } = await live()
    await listen(id)
    const { page, complaints } = await visit(`/meetings/${id}?pwd=a1B2c3`)
    await icon(page).waitFor()
    expect(await tooltip(page).isVisible()).toBe(false)
    await icon(page).hover()
    expect(await tooltip(page).isVisible()).toBe(true)
    await page.mouse.move(0, 0)
    await expect.poll(() => tooltip(page).isVisible()).toBe(false)
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      if (await icon(page).evaluate((one) => one === document.activeElement)) break
    }
    expect(await tooltip(page).isVisible()).toBe(true)
    expect(await icon(page).getAttribute('aria-describedby')).toBe('indicator-tip')
    expect(await tooltip(page).getAttribute('role')).toBe('tooltip')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#apps$/)
    expect(complaints).toEqual([])
  })

  const looks: [string, string | undefined, () => Promise<string>][] = [
    ['the form for a passcode', undefined, async () => `/meetings/${(await live()).id}`],
    [
      'the answer to a wrong passcode',
      undefined,
      async () => `/meetings/${(await live()).id}?pwd=wrong`,
    ],
    ['the meeting of a guest', undefined, async () => `/meetings/${(await live()).id}?pwd=a1B2c3`],
    ['the meeting of the host', host, async () => `/meetings/${(await live()).id}/start`],
    [
      'a meeting with an app that listens',
      host,
      async () => {
        const { id } = await live({ agenda: `First the numbers.\nThen ${'long'.repeat(60)}` })
        await listen(id)
        return `/meetings/${id}`
      },
    ],
    [
      'a meeting with hostile names',
      undefined,
      async () => {
        const { id } = await live({ topic: hostile, agenda: hostile })
        await listen(
          id,
          await makeApp(pages.server, hostile.replace('\u202e', ''), ['meeting:read:meeting']),
        )
        await listen(id, await makeApp(pages.server, 'W'.repeat(100), ['meeting:read:meeting']))
        return `/meetings/${id}?pwd=a1B2c3`
      },
    ],
  ]

  test.each(looks)(
    'a browser finds %s readable, fit for a phone, with named controls and without foreign content',
    async (_name, email, pathOf) => {
      const path = await pathOf()
      const seen = await look(email, path)
      const { page } = seen
      await page.waitForURL(`**${path}`)
      if (await icon(page).count()) await icon(page).focus()
      await expectSound(seen, /the server responded with a status of 403/)
    },
  )
})
