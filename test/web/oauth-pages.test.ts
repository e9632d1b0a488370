import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { browsePages, signIn } from './visits.ts'

// `documentation/page.test.ts` tests a complete authorization in a browser.
describe.skipIf(!hasChromium)('consent in a browser', async () => {
  const { pages, visit, visitAs } = await browsePages()
  const consent = pages.authorizePath('Scheduler')

  test('consent works with the keyboard, and Enter in a checkbox denies', async () => {
    const { page } = await visitAs('member@acme.test', consent)
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    const focus = () =>
      page.evaluate(
        '[document.activeElement.value, getComputedStyle(document.activeElement).outlineStyle]',
      )
    const seen: unknown[] = []
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab')
      seen.push(await focus())
      if (JSON.stringify(seen.at(-1)).startsWith('["allow"')) break
    }
    const stops = ['meeting:write:meeting', 'deny', 'allow']
    expect(seen.slice(-3)).toEqual(stops.map((value) => [value, 'solid']))
    await page.getByLabel('meeting:write:meeting').focus()
    const back = page.waitForRequest(/:8090\/callback\?/)
    await page.keyboard.press('Enter')
    expect((await back).url()).toContain('error=access_denied')
  })

  test('another site can neither frame the consent page nor send a decision', async () => {
    const { page } = await visit(consent)
    const { url } = pages.server
    // Sign in through the page, so that the cookie has the server's attributes.
    await signIn(page, 'member@acme.test')
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    const fields = await page
      .locator('form[action="/oauth/consent"] input[type=hidden]')
      .evaluateAll((all) => all.map((one) => one.outerHTML).join(''))
    // Browsers treat localhost and 127.0.0.1 as different sites.
    const attack = 'http://localhost:8090/attack'
    await page.route(attack, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${url}${consent}"></iframe>
          <form method="post" action="${url}/oauth/consent">${fields}
          <button name="decision" value="allow">Go</button></form>`,
      }),
    )
    await page.goto(attack)
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
    const answered = page.waitForResponse('**/oauth/consent')
    await page.getByRole('button', { name: 'Go' }).click()
    expect((await answered).status()).toBe(403)
    await page.getByText('another site sent it').waitFor()
    await page.goto(`${url}/my/apps`)
    expect(await page.locator('.who summary').count()).toBe(1)
  })
})
