import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { startPages } from '../support/pages.ts'
import { hiddenFields } from '../support/people.ts'
import { textOf } from './responses.ts'

const member = { email: 'member@acme.test', password }

const pages = await startPages()
const { server } = pages

const fields = async () => {
  const session = pages.stranger()
  const html = await (await session.get('/sign-in')).text()
  return { session, form: { ...hiddenFields(html, '/sign-in'), ...member } }
}

test.each([
  ['no token', { csrf: '' }, {}],
  ['a made-up token', { csrf: 'x'.repeat(43) }, {}],
  ['a good token from another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ['a good token with a foreign origin', {}, { origin: 'https://evil.test' }],
  ['a good token with a broken origin', {}, { origin: 'evil' }],
])('a sign-in form with %s is refused with 403', async (_, changes, headers) => {
  const { session, form } = await fields()
  const response = await session.post('/sign-in', { ...form, ...changes }, headers)
  expect(response.status).toBe(403)
  expect(response.headers.getSetCookie()).toEqual([])
})

test('a form with the token of another browser, or without a cookie, is refused with 403', async () => {
  const { form } = await fields()
  const other = await fields()
  expect((await other.session.post('/sign-in', form)).status).toBe(403)
  const bare = await pages.stranger().post('/sign-in', form)
  expect([bare.status, bare.headers.getSetCookie()]).toEqual([403, []])
})

test('a form with the Origin that browsers send for this site is accepted', async () => {
  for (const origin of ['null', server.url, server.ctx.config.authUrl]) {
    const { session, form } = await fields()
    const headers = { origin, 'sec-fetch-site': 'same-origin' }
    expect((await session.post('/sign-in', form, headers)).status).toBe(303)
  }
})

test.each([
  ['a field twice', { email: [member.email, member.email] }, 400],
  ['NUL', { email: 'a\0b' }, 400],
  ['more than 64 KiB', { password: 'x'.repeat(70_000) }, 413],
  ['too many fields', { scope: Array<string>(200).fill('a') }, 400],
])('a form with %s is refused with an HTML page', async (_, changes, status) => {
  const session = pages.stranger()
  const html = await (await session.get('/sign-in')).text()
  const form = { ...hiddenFields(html, '/sign-in'), ...member, ...changes }
  const response = await session.post('/sign-in', form)
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toContain('text/html')
})

test.each([
  ['PUT', '/sign-in', 'GET, HEAD, POST'],
  ['GET', '/sign-out', 'POST'],
  ['POST', '/console', 'GET, HEAD'],
  ['GET', '/console/apps/x/webhooks/secret', 'POST'],
  ['PUT', '/meetings/85700000001', 'GET, HEAD, POST'],
])('%s %s returns 405 and the allowed methods', async (method, path, allow) => {
  const response = await pages.server.http(path, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
})

const user = await pages.signIn(member.email)
const { user_code } = await pages.deviceCode('Scheduler')

test.each([
  ['sign-in', '/sign-in'],
  ['consent', pages.authorizePath('Scheduler')],
  ['a refusal', '/oauth/authorize?client_id=nobody'],
  ['device confirmation', `/oauth/device/complete/${user_code}`],
  ['an error', '/my/nothing'],
  ['a page that needs another role', '/my/approvals'],
  ['a meeting', '/meetings/1234567890?pwd=x'],
])('the page of %s is not cached, framed, shared or sent as a referrer', async (_, path) => {
  const { headers } = await user.get(path, { origin: 'http://127.0.0.1:8090' })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('pragma')).toBe('no-cache')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  // The authorization popup reports back to the app through `window.opener`.
  expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
})

test('over https the cookie is for this host and https only', async () => {
  const secure = await startPages({ env: { AUTH_URL: 'https://auth.skillpass.test' } })
  const { headers } = await secure.stranger().get('/sign-in')
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-skillpass=\w{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
})

test('pages that are opened too often return 429 and show when to try again', async () => {
  const limited = await startPages({ env: { RATE_LIMIT_AUTHORIZE_PER_MINUTE: '2' } })
  const path = limited.authorizePath('Scheduler')
  for (const one of [path, '/sign-in']) await limited.server.http(one)
  for (const one of [path, '/sign-in']) {
    const response = await limited.server.http(one)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await textOf(response)).toContain('Try again in 60 seconds')
  }
})
