import axe from 'axe-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser, type Visit } from '../support/browser.ts'
import { type DemoServer, startDemoServer } from '../support/demo-server.ts'
import { signIn } from '../support/people.ts'
import { revisit } from './visits.ts'

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
  ['a missing page', '/nowhere'],
  ['the sign-in page', '/sign-in'],
]
const ownPages: [string, string][] = [
  ['added apps', '/my/apps'],
  ['approvals', '/my/approvals'],
  ['device entry', '/oauth_device'],
  ['the console', '/console'],
  ['the form to register an app', '/console/new'],
  ['the audit log', '/console/audit'],
]

describe.skipIf(!hasChromium)('axe', () => {
  let server: DemoServer
  let stranger: Visit
  let owner: Visit

  beforeAll(async () => {
    server = await startDemoServer()
    const open = await openBrowser()
    stranger = await open(server.url)
    const { password } = server
    const session = await signIn(server, { email: 'owner@acme.test', password })
    owner = await open(server.url, { cookie: session.cookie() })
  })

  async function expectNoViolations(visit: Visit, path: string) {
    const { page } = await revisit(visit, server.url + path)
    expect(new URL(page.url()).pathname).toBe(new URL(path, server.url).pathname)
    await page.evaluate(axe.source)
    const violations = (rules?: string[]) =>
      page.evaluate(async (runOnly) => {
        const { axe: injected } = window as unknown as { axe: typeof axe }
        const { violations } = await injected.run(runOnly ? { runOnly } : {})
        return violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        )
      }, rules)
    expect(await violations()).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    // The dark scheme changes nothing but colours.
    expect(await violations(['color-contrast'])).toEqual([])
  }

  test.each(publicPages)('axe finds no violation in %s', async (_name, path) => {
    await expectNoViolations(stranger, path)
  })

  test.each(ownPages)('axe finds no violation in %s of a signed-in user', async (_, path) => {
    await expectNoViolations(owner, path)
  })
})
