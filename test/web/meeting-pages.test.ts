import { removeAddedApp } from '@skillpass/server/oauth/added-apps'
import { findUser } from '@skillpass/server/platform/store/users'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { appOf, credentialsOf, makeApp, userOf } from '../support/apps.ts'
import { hasChromium } from '../support/browser.ts'
import { listener, meetingOf } from '../support/meetings.ts'
import { grantOf } from '../support/oauth-server.ts'
import type { Pages } from '../support/pages.ts'
import { browsePages } from './visits.ts'

const host = 'member@acme.test'
const hostile = '<script>window.hacked=1</script> \u202eevil " onload=x'

describe.skipIf(!hasChromium)('the page of a meeting in a browser', () => {
  const browser = browsePages()
  const { visit, visitAs, look, expectSound } = browser
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

  test('the page of a meeting shows an icon and a tooltip while an app listens, until it is removed', async () => {
    const { id } = await live()
    await listen(id)
    const { page, complaints } = await visitAs(host, `/meetings/${id}`)
    await icon(page).waitFor()
    expect(await tooltip(page).isVisible()).toBe(false)
    await icon(page).hover()
    expect(await tooltip(page).isVisible()).toBe(true)
    const sentence = 'Scheduler has access to audio. Approved by Acme.'
    expect(await tooltip(page).textContent()).toContain(sentence)
    const list = page.getByRole('region', { name: 'Apps with access to this meeting' })
    expect(await list.getByRole('listitem').allTextContents()).toEqual([
      sentence,
      'Scheduler has access to the transcript. Approved by Acme.',
    ])
    await page.goto(`${pages.server.url}/my/apps`)
    await page.getByRole('button', { name: 'Remove Scheduler' }).click()
    await page.getByRole('heading', { name: 'Remove Scheduler?' }).waitFor()
    await page.getByRole('button', { name: 'Remove Scheduler' }).click()
    await page.getByRole('status').waitFor()
    await page.goto(`${pages.server.url}/meetings/${id}`)
    expect(await list.textContent()).toContain('No app has access to this meeting right now.')
    expect([await icon(page).count(), await tooltip(page).count()]).toEqual([0, 0])
    expect(complaints).toEqual([])
  })

  test('the tooltip is available by keyboard, by touch and to screen readers', async () => {
    const { id } = await live()
    await listen(id)
    const { page } = await visit(`/meetings/${id}?pwd=a1B2c3`)
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      if (await icon(page).evaluate((one) => one === document.activeElement)) break
    }
    expect(await tooltip(page).isVisible()).toBe(true)
    expect(await icon(page).getAttribute('aria-describedby')).toBe('indicator-tip')
    expect(await tooltip(page).getAttribute('role')).toBe('tooltip')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#apps$/)
  })

  test('the passcode lets a guest in', async () => {
    const { id } = await live()
    const { page } = await visit(`/meetings/${id}`)
    await page.getByLabel('Passcode').fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    const alert = await page.getByRole('alert').textContent()
    expect(alert).toContain('does not match the meeting number')
    await page.getByLabel('Passcode').fill('a1B2c3')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Weekly review' }).waitFor()
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

  test('the page of a meeting shows nothing of an app that was removed elsewhere', async () => {
    const { id } = await live()
    await listen(id)
    const { page } = await visit(`/meetings/${id}?pwd=a1B2c3`)
    await icon(page).waitFor()
    const user = await findUser(pages.server.ctx.db.read, userOf(pages.applied, host).id)
    const { id: appId } = appOf(pages.applied, 'Scheduler')
    if (user) await removeAddedApp(pages.server.ctx, user, appId)
    await page.reload()
    expect(await icon(page).count()).toBe(0)
  })
})
