import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { splitAtBars } from '../support/words.ts'
import { locationOf, textOf } from './responses.ts'

const member = { email: 'member@acme.test', password }

/** Opens the sign-in page in a new session and submits its form. */
async function trySignIn(pages: Pages, form: Record<string, string>, query = '') {
  const session = pages.stranger()
  const html = await (await session.get(`/sign-in${query}`)).text()
  return { session, response: await session.submit(html, '/sign-in', form) }
}

const pages = await startPages()
const { server } = pages

test('signing in leads to the requested page', async () => {
  const query = '?return_to=%2Foauth_device%3Fa%3Db'
  const { response } = await trySignIn(pages, member, query)
  expect([response.status, locationOf(response)]).toEqual([303, '/oauth_device?a=b'])
})

test.each(
  splitAtBars(
    '¦https://evil.test/¦//evil.test/¦///evil.test¦/\\evil.test¦\\\\evil.test¦/\t/evil.test',
    '/\n/evil.test¦ /my/consent¦/my consent¦consent¦javascript:alert(1)¦/%2f/evil.test¦/%zz',
    '/%5cevil.test¦/%09/evil.test¦/.//evil.test¦/a/..//evil.test¦/a/%2e%2e//evil.test',
    '/\u2028/evil.test¦/x\\y',
  ),
)('signing in never leads to an address that may lead elsewhere: %j', async (target) => {
  for (const written of [target, encodeURIComponent(target)]) {
    const asked = await trySignIn(pages, member, `?return_to=${written}`)
    expect(locationOf(asked.response)).toBe('/my/apps')
  }
  const forged = await trySignIn(pages, { ...member, return_to: target })
  expect(forged.response.status).toBe(403)
})

test('the sign-in page names the app that the user is authorizing', async () => {
  const session = pages.stranger()
  const path = pages.authorizePath('Scheduler')
  const signInPage = await session.get(locationOf(await session.get(path)))
  expect(signInPage.headers.get('content-security-policy')).toContain("form-action 'self' http:;")
  expect(await textOf(signInPage)).toContain('to continue to Scheduler by Acme')
})

test('an unknown email and a wrong password get the same page, which retains the email', async () => {
  const wrong = { password: 'wrong', email: 'owner@acme.test' }
  const unknown = { password: 'wrong', email: 'nobody"><script>@acme.test' }
  for (const form of [wrong, unknown]) {
    const { response } = await trySignIn(pages, form)
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(html).toContain('The email or password is wrong.')
    expect(html).toContain(`value="${form.email.replace('"', '&quot;').replace('<', '&lt;')}"`)
    expect(html).not.toContain('<script')
    expect(html).not.toContain('value="wrong"')
    const described = /aria-describedby="refusal" aria-invalid="true"/g
    expect([html.match(described)?.length, html.includes('id="refusal"')]).toEqual([2, true])
  }
})

test('after five failed attempts the right password is refused too, and the page shows when to try again', async () => {
  const email = 'admin@careful.test'
  for (let i = 0; i < 5; i++) await trySignIn(pages, { email, password: 'wrong' })
  const { response } = await trySignIn(pages, { email, password })
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await textOf(response)).toContain('Too many failed attempts.')
  server.clock.advance(301_000)
  expect((await trySignIn(pages, { email, password })).response.status).toBe(303)
})

test('each sign-in starts a new session and ends the previous one', async () => {
  const { session, response } = await trySignIn(pages, member)
  const [line = ''] = response.headers.getSetCookie()
  expect(line).toMatch(
    /^skillpass_session=sse_\w+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const first = session.cookie()
  const html = await (await session.get('/sign-in')).text()
  await session.submit(html, '/sign-in', member)
  expect(session.cookie()).not.toBe(first)
  const earlier = await server.http('/my/apps', { headers: { cookie: first } })
  expect(locationOf(earlier)).toMatch(/^\/sign-in/)
})

test('signing out ends the session on the server', async () => {
  const session = await pages.signIn(member.email)
  const cookie = session.cookie()
  const html = await (await session.get('/my/apps')).text()
  const response = await session.submit(html, '/sign-out')
  expect(response.headers.getSetCookie()[0]).toContain('skillpass_session=; Max-Age=0')
  expect((await server.http('/my/apps', { headers: { cookie } })).status).toBe(303)
})

test('a session ends after twelve hours', async () => {
  const session = await pages.signIn(member.email)
  server.clock.advance(12 * 3_600_000 - 1000)
  expect((await session.get('/my/apps')).status).toBe(200)
  server.clock.advance(1000)
  expect(locationOf(await session.get('/my/apps'))).toBe('/sign-in?return_to=%2Fmy%2Fapps')
})
