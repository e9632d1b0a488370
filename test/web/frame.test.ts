import { expect, test } from 'vitest'
import { hasChromium, openPage } from '../support/browser.ts'
import { startPages } from '../support/pages.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, publish } from '../support/skills.ts'
import { widerThanScreen } from './visits.ts'

const pages = await startPages()
const skill = await publish(await pages.server.agent('framed'))

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Labels and addresses of the links in a part of a page. */
function linksOf(html: string, tag: 'header' | 'footer'): Record<string, string> {
  const part = new RegExp(`<${tag} class="site-${tag}">.*?</${tag}>`, 's').exec(html)?.[0] ?? ''
  const links = part.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(?:<svg.*?<\/svg>)?(.*?)<\/a>/gs)
  return Object.fromEntries([...links].map(([, href = '', words = '']) => [words, href]))
}

const everywhere = { Skills: '/search', Resolve: '/resolve', Docs: '/docs', Console: '/console' }
const menu = { Skillpass: '/', ...everywhere }
const accountMenu = {
  'Your apps': '/my/apps',
  'Developer console': '/console',
  Account: '/account',
}

/** Pages that need no sign-in, with their status. */
const open: [string, string, number][] = [
  ['the home page', '/', 200],
  ['a skill', addressOf(skill), 200],
  ['the documentation', '/docs', 200],
  ['a missing page', '/nowhere/at/all', 404],
  ['signing in', '/sign-in', 200],
  ['a meeting', '/meetings/1234567890', 200],
  ['an authorization of an unknown app', '/oauth/authorize?client_id=unknown', 400],
]

/** Pages that need a sign-in. */
const own: [string, string, number][] = [
  ['the console', '/console', 200],
  ['consent', pages.authorizePath('Scheduler'), 200],
]

test.each(open)('header and footer link every public section on %s', async (_, path, status) => {
  const response = await pages.stranger().get(path)
  const html = await response.text()
  expect(response.status).toBe(status)
  expect(linksOf(html, 'header')).toEqual({
    ...menu,
    'Sign in': expect.stringMatching(/^\/sign-in/),
  })
  expect(linksOf(html, 'footer')).toMatchObject({ 'Connect a device': '/oauth_device' })
})

const all = [...open, ...own]
test.each(all)('the header names the user and can sign out on %s', async (_, path, status) => {
  const session = await pages.signIn('member@acme.test')
  const response = await session.get(path)
  const html = await response.text()
  expect(response.status).toBe(status)
  expect(linksOf(html, 'header')).toEqual({ ...menu, ...accountMenu })
  expect(html).toMatch(/<span class="name"[^>]*>member Tester<.*member@acme\.test/s)
  const out = await session.submit(html, '/sign-out')
  expect(out.status).toBe(303)
  expect(linksOf(await (await session.get('/')).text(), 'header')).toHaveProperty('Sign in')
})

test('the header links admins to their approvals', async () => {
  const session = await pages.signIn('admin@acme.test')
  const html = await (await session.get('/search')).text()
  expect(linksOf(html, 'header')).toHaveProperty('Approvals', '/my/approvals')
})

test.skipIf(!hasChromium)(
  'at 390 px, the menu of the account takes one line and opens over the page',
  async () => {
    const session = await pages.signIn('member@acme.test')
    const { page } = await openPage(`${pages.server.url}/search`, { cookie: session.cookie() })
    await page.setViewportSize({ width: 390, height: 800 })
    const top = async (name: string) => (await page.locator(name).boundingBox())?.y ?? Number.NaN
    const [brand, who] = [await top('.brand'), await top('.who')]
    expect(Math.abs(brand - who)).toBeLessThan(10)
    const main = await top('main')
    await page.locator('.who summary').click()
    expect(await page.getByRole('link', { name: 'Account' }).isVisible()).toBe(true)
    expect(await top('main')).toBe(main)
    expect(await page.evaluate(widerThanScreen)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in$/)
  },
)

test('the sign-in link returns to the page', async () => {
  const html = await (await pages.stranger().get('/search?q=a%26b&page=2')).text()
  const back = '/sign-in?return_to=%2Fsearch%3Fq%3Da%2526b%26page%3D2'
  expect(linksOf(html, 'header')).toHaveProperty('Sign in', back)
})

test.each([
  ['/meetings/1234567890?pwd=secret', '/sign-in?return_to=%2Fmeetings%2F1234567890'],
  ['/meetings/secret', '/sign-in'],
  ['/oauth/authorize?client_id=unknown&state=secret', '/sign-in'],
])('the header does not repeat a secret of the address %s', async (path, back) => {
  const html = await (await pages.stranger().get(path)).text()
  expect(linksOf(html, 'header')).toHaveProperty('Sign in', back)
  expect(html.match(/<header class="site-header">.*?<\/header>/s)?.[0]).not.toContain('secret')
})

test.each([
  [
    'registry',
    {
      ...{ Skillpass: '/', Skills: '/search', Resolve: '/resolve', Docs: '/docs' },
      'Sign in': '/agents/me/sign-in',
    },
  ],
  [
    'oauth,platform',
    {
      Skillpass: '/my/apps',
      Docs: '/docs',
      Console: '/console',
      'Sign in': '/sign-in',
    },
  ],
])('header and footer link only to %s if no other services are served', async (SERVICES, links) => {
  const server = await startTestServer({ env: { SERVICES } })
  const response = await server.http('/nowhere', { headers: { accept: browser } })
  const html = await response.text()
  expect(linksOf(html, 'header')).toEqual(links)
  expect('Connect a device' in linksOf(html, 'footer')).toBe(SERVICES !== 'registry')
  expect(response.headers.get('content-security-policy')).toContain("style-src 'self'")
})

const cached = ['/', '/search', '/resolve?task=pdf']
test.each(cached)('%s can be cached for signed-out visitors but not for a user', async (path) => {
  const stranger = await pages.server.http(path)
  expect(stranger.headers.get('cache-control')).toBe('no-cache')
  expect(stranger.headers.get('vary')).toMatch(/\bcookie\b/i)
  expect(stranger.headers.get('set-cookie')).toBeNull()
  const session = await pages.signIn('member@acme.test')
  expect((await session.get(path)).headers.get('cache-control')).toBe('private, no-store')
})

const named = await startPages({
  env: { OPERATOR_NAME: 'Acme Hosting', OPERATOR_CONTACT: 'httpd@acme.test' },
})
const contact = '<bdi>Acme Hosting</bdi> at <a href="mailto:httpd@acme.test">httpd@acme.test</a>'

const openPages = ['/', '/search', '/docs', '/sign-in', '/nowhere/at/all']
test.each(openPages)('the footer of %s names the operator and a contact', async (path) => {
  const response = await named.server.http(path, { headers: { accept: browser } })
  expect(await response.text()).toContain(`Operated by ${contact}`)
})

test('a refusal and a hidden skill name whom to ask, on the page and in JSON', async () => {
  const member = await named.signIn('member@acme.test')
  const refused = await member.get('/oauth/consent')
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain(`Ask ${contact} if`)
  const hidden = await publish(await named.server.agent('hider'))
  await named.server.moderate('skill hide', hidden.id)
  const address = addressOf(hidden)
  const page = await named.server.http(address, { headers: { accept: browser } })
  expect(page.status).toBe(451)
  expect(await page.text()).toContain(`Ask ${contact} if`)
  const json = await named.server.http(`/api/v1/skills/${hidden.id}`)
  expect(await json.text()).toContain('To object, ask Acme Hosting (httpd@acme.test).')
})

test('without an operator, the footer names nobody and a refusal still says whom to ask', async () => {
  const html = await (await pages.stranger().get('/oauth/consent')).text()
  expect(html).not.toContain('Operated by')
  const member = await pages.signIn('member@acme.test')
  const refused = await (await member.get('/oauth/consent')).text()
  expect(refused).toContain('Ask <bdi>the operator of this server</bdi> if')
})
