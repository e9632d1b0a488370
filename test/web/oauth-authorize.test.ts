import { expect, test } from 'vitest'
import { callback, credentialsOf, makeApp } from '../support/apps.ts'
import { authorizeQuery } from '../support/oauth-server.ts'
import { startPages } from '../support/pages.ts'
import { locationOf, textOf } from './responses.ts'

const pages = await startPages()
const member = await pages.signIn('member@acme.test')
const path = (app: string, parameters = {}) => pages.authorizePath(app, parameters)

test.each([
  [
    'c\u0430llback',
    'c<mark>\u0430</mark>llback',
    '24: received “\u0430” (U+0430), registered “a” (U+0061).',
  ],
  ['callbac', 'callbac<mark>(ends', '30: received nothing more, registered “k” (U+006B).'],
  [
    'callback\u202e',
    'callback<mark>‹U+202E›</mark>',
    '31: received “‹U+202E›” (U+202E), registered nothing',
  ],
])('a mismatch page shows both addresses and where they differ: %j', async (end, marked, words) => {
  const redirect_uri = callback.replace('callback', end)
  const response = await member.get(path('Scheduler', { redirect_uri }))
  expect(await response.clone().text()).toContain(`http://127.0.0.1:8090/${marked}`)
  expect(await textOf(response)).toContain(`They first differ at character ${words}`)
})

test('the policy of a page that redirects to an app contains only the scheme of its address', async () => {
  const redirect_uri = 'https://a;sandbox/'
  const app = await makeApp(pages.server, 'Injector', ['user:read:user'], {
    redirectUris: [redirect_uri],
  })
  const { headers } = await member.get(`/oauth/authorize?${authorizeQuery(app, { redirect_uri })}`)
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("form-action 'self' https:;")
  expect(policy).not.toContain('sandbox')
})

test.each([
  ['4 KiB of three-byte characters', '%E2%82%AC'.repeat(1365)],
  ['bytes that are not UTF-8', '%FF%FE'],
  ['separators of parameters', '%26code%3Dforged%23'],
  ['line breaks', 'a%0D%0ASet-Cookie%3A%20x%3Dy'],
])('a state of %s is returned byte for byte, also after a sign-in', async (_, state) => {
  const session = pages.stranger()
  const toSignIn = await session.get(`${path('Scheduler')}&state=${state}`)
  const html = await (await session.get(locationOf(toSignIn))).text()
  const form = { email: 'member@acme.test', password: 'correct horse battery' }
  const back = await session.submit(html, '/sign-in', form)
  const consent = await (await session.get(locationOf(back))).text()
  const response = await session.submit(consent, '/oauth/consent', { decision: 'allow' })
  expect(response.status).toBe(303)
  expect(locationOf(response)).toMatch(/^http:\/\/127\.0\.0\.1:8090\/callback\?code=sac_\w+&state=/)
  expect(locationOf(response).split('&state=')[1]).toBe(state)
  expect(response.headers.get('set-cookie')).toBeNull()
})

test.each([
  ['a private app', 'Private', 'production'],
  ['development credentials', 'Scheduler', 'development'],
] as const)('other accounts are refused %s, with a link back', async (_, app, environment) => {
  const { clientId: client_id } = credentialsOf(pages.applied, app, environment)
  const other = await pages.signIn('member@other.test')
  const response = await other.get(path(app, { client_id, state: 's' }))
  expect(response.status).toBe(403)
  const html = await response.clone().text()
  expect(await textOf(response)).toContain(`${app} is not open to you`)
  expect(html).toContain(`href="${callback}?error=access_denied&amp;state=s"`)
  expect((await member.get(path(app, { client_id }))).status).toBe(200)
})

test.each([
  ['an unknown app', () => '/oauth/authorize?client_id=unknown', '4702'],
  ['another redirect_uri', () => path('Scheduler', { redirect_uri: 'https://x.test/' }), '4709'],
])('a refusal of %s leads to the console, the error and a person', async (_, address, code) => {
  const session = pages.stranger()
  const html = await (await session.get(address())).text()
  expect(html).toContain('href="/console"')
  expect(html).toContain(`href="/docs/errors#${code}"`)
  expect(html).toContain('ask <bdi>the operator of this server</bdi>')
  const errors = await (await session.get('/docs/errors')).text()
  expect(errors).toContain(`id="${code}"`)
})
