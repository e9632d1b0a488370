import { type Act, record, userParty } from '@skillpass/server/audit/record'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountOf, appOf, userOf } from '../support/apps.ts'
import { hasChromium } from '../support/browser.ts'
import { browsePages } from './visits.ts'

describe.skipIf(!hasChromium)('the audit log in a browser', () => {
  const browser = browsePages()

  beforeAll(async () => {
    const { pages } = browser
    const { ctx, clock } = pages.server
    const accountId = accountOf(pages.applied, 'Acme').id
    const who = userParty(userOf(pages.applied, 'member@acme.test').id)
    const whom = { kind: 'app', id: appOf(pages.applied, 'Scheduler').id } as const
    const operator = { kind: 'operator', id: 'root' } as const
    const acts: Act[] = [
      { action: 'consent.allowed', who, whom },
      { action: 'sign-in.failed', whom: who, count: 12 },
      { action: 'client-secret.rotated', who: operator, whom, note: 'not shown' },
      { action: 'app.changed', who, whom, note: 'name, production.redirectUris' },
      ...Array.from({ length: 60 }, (): Act => ({ action: 'sign-in', who })),
    ]
    await ctx.db.write(async (trx) => {
      for (const act of acts.toReversed()) {
        clock.advance(60_000)
        await record({ ...ctx, network: '203.0.113.0/24' }, trx, { ...act, accountId })
      }
    })
  })

  test('the audit log shows the owner who did what, when and from where, page by page', async () => {
    const seen = await browser.visitAs('owner@acme.test', '/console')
    const { page } = seen
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.waitForLoadState()
    const rows = page.locator('main li', { has: page.getByRole('heading', { level: 2 }) })
    expect(await rows.count()).toBe(50)
    expect(await rows.nth(0).innerText()).toContain('owner@acme.test')
    expect(await rows.nth(1).innerText()).toMatch(/Allowed an app: Scheduler\s+By member@acme.test/)
    expect(await rows.nth(1).innerText()).toContain('203.0.113.0/24')
    expect(await rows.nth(2).innerText()).toMatch(
      /Failed to sign in: member@acme.test\s+12 attempts/,
    )
    expect(await rows.nth(3).innerText()).toContain('By the operator of this service')
    expect(await rows.nth(3).innerText()).not.toContain('not shown')
    expect(await rows.nth(4).innerText()).toContain(
      'By member@acme.test, changed name, production redirect addresses',
    )
    await page.getByRole('link', { name: 'Older entries' }).click()
    await expect.poll(() => rows.count()).toBe(15)
    await page.getByRole('link', { name: 'Newest entries' }).click()
    await expect.poll(() => rows.count()).toBe(50)
    await browser.expectSound(seen, /^$/)
  })
})
