import { describe, expect, it } from 'vitest'
import { engines } from '../support/databases.ts'
import { password } from '../support/oauth.ts'
import { hiddenFields } from '../support/sign-in.ts'
import { locationOf, type Pages, startPages, wordsOf } from './oauth-scene.ts'

const member = { email: 'member@acme.test', password }

/** Opens the sign-in page in a new browser and sends its form. */
async function trySignIn(pages: Pages, form: Record<string, string>, query = '') {
  const session = pages.stranger()
  const html = await (await session.get(`/sign-in${query}`)).text()
  return { session, response: await session.submit(html, '/sign-in', form) }
}

describe.each(engines)('signing in on %s', async (engine) => {
  const pages = await startPages({ engine })
  const { server } = pages

  it('leads to the page that was asked for', async () => {
    const query = '?return_to=%2Foauth_device%3Fa%3Db'
    const { response } = await trySignIn(pages, member, query)
    expect([response.status, locationOf(response)]).toEqual([303, '/oauth_device?a=b'])
  })

  it.each([
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/%09/evil.test',
    '/%2f/evil.test',
    'javascript:alert(1)',
    '/.//evil.test',
  ])('never leads to another site: %s', async (target) => {
    const query = `?return_to=${encodeURIComponent(target)}`
    const asked = await trySignIn(pages, member, query)
    expect(locationOf(asked.response)).toBe('/my/apps')
    const forged = await trySignIn(pages, { ...member, return_to: target })
    expect(locationOf(forged.response)).toBe('/my/apps')
  })

  it('names the app that the person is on the way to', async () => {
    const session = pages.stranger()
    const path = pages.authorizePath('Scheduler')
    const signInPage = await session.get(locationOf(await session.get(path)))
    expect(signInPage.headers.get('content-security-policy')).toContain("form-action 'self' http:;")
    expect(await wordsOf(signInPage)).toContain('to go on to Scheduler by Acme')
  })

  it('answers an unknown email and a wrong password in the same words, and keeps the email', async () => {
    const wrong = { password: 'wrong', email: 'owner@acme.test' }
    const unknown = { password: 'wrong', email: 'nobody"><script>@acme.test' }
    for (const form of [wrong, unknown]) {
      const { response } = await trySignIn(pages, form)
      expect(response.status).toBe(400)
      const html = await response.text()
      expect(html).toContain('The email or the password is wrong.')
      expect(html).toContain(`value="${form.email.replace('"', '&quot;').replace('<', '&lt;')}"`)
      expect(html).not.toContain('<script')
      expect(html).not.toContain('value="wrong"')
    }
  })

  it('after five failures refuses the right password too, and says when to try again', async () => {
    const email = 'admin@careful.test'
    for (let i = 0; i < 5; i++) await trySignIn(pages, { email, password: 'wrong' })
    const { response } = await trySignIn(pages, { email, password })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await wordsOf(response)).toContain('Too many failed attempts.')
    server.clock.advance(301_000)
    expect((await trySignIn(pages, { email, password })).response.status).toBe(303)
  })

  it('gives a new session each time, whatever cookie the browser came with', async () => {
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

  it('signing out ends the session on the server', async () => {
    const session = await pages.signIn(member.email)
    const cookie = session.cookie()
    const html = await (await session.get('/my/apps')).text()
    const response = await session.submit(html, '/sign-out')
    expect(response.headers.getSetCookie()[0]).toContain('skillpass_session=; Max-Age=0')
    expect((await server.http('/my/apps', { headers: { cookie } })).status).toBe(303)
  })

  it('a session ends after twelve hours', async () => {
    const session = await pages.signIn(member.email)
    server.clock.advance(12 * 3_600_000 - 1000)
    expect((await session.get('/my/apps')).status).toBe(200)
    server.clock.advance(1000)
    expect(locationOf(await session.get('/my/apps'))).toBe('/sign-in?return_to=%2Fmy%2Fapps')
  })
})

describe('forms of other sites', async () => {
  const pages = await startPages()
  const { server } = pages
  const fields = async () => {
    const session = pages.stranger()
    const html = await (await session.get('/sign-in')).text()
    return { session, form: { ...hiddenFields(html, '/sign-in'), ...member } }
  }

  it.each([
    ['no token', { csrf: '' }, {}],
    ['a made-up token', { csrf: 'x'.repeat(43) }, {}],
    ['a good token from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['a good token with a foreign origin', {}, { origin: 'https://evil.test' }],
    ['a good token with a broken origin', {}, { origin: 'evil' }],
  ])('are refused: %s', async (_name, changes, headers) => {
    const { session, form } = await fields()
    const response = await session.post('/sign-in', { ...form, ...changes }, headers)
    expect(response.status).toBe(403)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it('are refused with the token of another browser, and without any cookie', async () => {
    const { form } = await fields()
    const other = await fields()
    expect((await other.session.post('/sign-in', form)).status).toBe(403)
    const bare = await pages.stranger().post('/sign-in', form)
    expect([bare.status, bare.headers.getSetCookie()]).toEqual([403, []])
  })

  it('are refused with a token that was made for another form', async () => {
    const session = await pages.signIn(member.email)
    const html = await (await session.get('/my/apps')).text()
    const { csrf = '' } = hiddenFields(html, '/sign-out')
    expect((await session.post('/sign-in', { ...member, csrf })).status).toBe(403)
    expect((await session.post('/oauth_device', { code: 'BCDF-GHJK', csrf })).status).toBe(403)
  })

  it('cannot be told from ours by what browsers send with ours', async () => {
    for (const origin of ['null', server.url, server.ctx.config.authUrl]) {
      const { session, form } = await fields()
      const headers = { origin, 'sec-fetch-site': 'same-origin' }
      expect((await session.post('/sign-in', form, headers)).status).toBe(303)
    }
  })
})

describe('a form', async () => {
  const pages = await startPages()

  it.each([
    ['a field twice', { email: [member.email, member.email] }, 400],
    ['NUL', { email: 'a\0b' }, 400],
    ['more than 64 KiB', { password: 'x'.repeat(70_000) }, 413],
    ['more fields than any form has', { scope: Array<string>(200).fill('a') }, 400],
  ])('with %s is refused with a page', async (_name, changes, status) => {
    const session = pages.stranger()
    const html = await (await session.get('/sign-in')).text()
    const form = { ...hiddenFields(html, '/sign-in'), ...member, ...changes }
    const response = await session.post('/sign-in', form)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded; charset=x'])(
    'of another kind is no fault of ours: %s',
    async (type) => {
      const init = { method: 'POST', body: '{"a":1}', headers: { 'content-type': type } }
      const { status } = await pages.server.http('/sign-in', init)
      expect([400, 403]).toContain(status)
    },
  )

  it.each([
    ['PUT', '/sign-in', 'GET, HEAD, POST'],
    ['GET', '/sign-out', 'POST'],
    ['DELETE', '/my/apps', 'GET, HEAD'],
    ['GET', '/my/apps/remove', 'POST'],
    ['GET', '/oauth/device/decision', 'POST'],
    ['POST', '/oauth/device/complete/BCDF-GHJK', 'GET, HEAD'],
    ['GET', '/oauth/approval/request', 'POST'],
  ])('is taken by its method alone: %s %s', async (method, path, allow) => {
    const response = await pages.server.http(path, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  })
})

describe('every page for people', async () => {
  const pages = await startPages()
  const { server } = pages
  const user = await pages.signIn(member.email)
  const { user_code } = await pages.deviceCode('Scheduler')

  it.each([
    ['sign-in', '/sign-in'],
    ['consent', pages.authorizePath('Scheduler')],
    ['a refusal', '/oauth/authorize?client_id=nobody'],
    ['device entry', '/oauth_device'],
    ['device confirmation', `/oauth/device/complete/${user_code}`],
    ['added apps', '/my/apps'],
    ['an error', '/my/nothing'],
    ['the way to sign-in', '/my/approvals'],
  ])('is kept by no cache, framed by nobody and tells no one: %s', async (_name, path) => {
    const { headers } = await user.get(path, { origin: 'http://127.0.0.1:8090' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('permits no script of another site, not even one that an app registered', async () => {
    const headers = { origin: 'http://127.0.0.1:8090', 'access-control-request-method': 'POST' }
    for (const path of ['/oauth/consent', '/sign-in', '/oauth/authorize']) {
      const response = await server.http(path, { method: 'OPTIONS', headers })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('over https', async () => {
  const pages = await startPages({ env: { AUTH_URL: 'https://auth.skillpass.test' } })
  const { server } = pages

  it('the cookie is for this host and for https alone', async () => {
    const { headers } = await pages.stranger().get('/sign-in')
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-skillpass=\w{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
  })

  it('no header of a request changes where it leads', async () => {
    const headers = {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.test',
    }
    const response = await server.http(pages.authorizePath('Scheduler'), { headers })
    expect(locationOf(response)).toMatch(/^\/sign-in\?return_to=%2Foauth%2Fauthorize/)
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-skillpass=/)
    const device = await pages.deviceCode('Scheduler')
    expect(device).toMatchObject({ verification_uri: 'https://auth.skillpass.test/oauth_device' })
  })
})

describe('pages that are opened too often', async () => {
  const pages = await startPages({ env: { RATE_LIMIT_AUTHORIZE_PER_MINUTE: '2' } })

  it('say when to come back', async () => {
    const path = pages.authorizePath('Scheduler')
    for (const one of [path, '/sign-in']) await pages.server.http(one)
    for (const one of [path, '/sign-in']) {
      const response = await pages.server.http(one)
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60'])
      expect(await wordsOf(response)).toContain('Try again in 60 seconds')
    }
  })
})
