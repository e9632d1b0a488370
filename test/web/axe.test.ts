import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { type DemoServer, startDemoServer } from '../support/demo-server.ts'

describe.skipIf(!hasChromium)('axe finds nothing', () => {
  let server: DemoServer
  let open: Awaited<ReturnType<typeof openBrowser>>

  beforeAll(async () => {
    server = await startDemoServer()
    open = await openBrowser()
  })

  const publicPages: [string, string][] = [
    ['the home page', '/'],
    ['all skills', '/search'],
    ['a search without results', '/search?q=xyzzy'],
    ['a resolved task', '/resolve?task=fill+in+a+pdf+form'],
    ['a skill', '/skillpass/skills/fill-pdf-form'],
    ['an owner', '/skillpass'],
    ['a repository', '/skillpass/skills'],
    ['an agent', '/agents/skillpass'],
    ['the rules of the lint', '/docs/lint'],
    ['a rule of the lint', '/docs/lint/missing-file'],
    ['the guide', '/docs/guide'],
    ['the errors', '/docs/errors'],
    ['the scopes', '/docs/scopes'],
    ['a page that is not there', '/nowhere'],
    ['signing in', '/sign-in'],
  ]

  const ownPages: [string, string][] = [
    ['added apps', '/my/apps'],
    ['approvals', '/my/approvals'],
    ['device entry', '/oauth_device'],
    ['the console', '/console'],
    ['a new app', '/console/new'],
    ['the audit log', '/console/audit'],
  ]

  async function expectNothing(page: Page) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(axe.source)
      const found = await page.evaluate(async () => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
        return violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        )
      })
      expect(found).toEqual([])
    }
  }

  test.each(publicPages)('on %s', async (_name, path) => {
    const { page } = await open(server.url + path)
    await expectNothing(page)
    await page.context().close()
  })

  test.each(ownPages)('on %s, signed in', async (_name, path) => {
    const { page } = await open(`${server.url}/sign-in?return_to=${encodeURIComponent(path)}`)
    await page.getByLabel('Email').fill('owner@testAccounts.test')
    await page.getByLabel('Password').fill(server.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`**${path}`)
    await expectNothing(page)
    await page.context().close()
  })
})
