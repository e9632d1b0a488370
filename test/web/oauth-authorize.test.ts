import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { callback, credentialsOf } from '../support/oauth/acme.ts'
import { authorizeCode } from '../support/oauth/sign-in.ts'
import { locationOf, startPages, verifierChallenge, wordsOf } from '../support/web/oauth-scene.ts'

describe.each(engines)('the authorize endpoint on %s', async (engine) => {
  const pages = await startPages({ engine })
  const { server } = pages
  const member = await pages.signIn('member@acme.test')
  const path = (app: string, parameters = {}) => pages.authorizePath(app, parameters)

  test.each([
    ['a slash more', `${callback}/`],
    ['another case', callback.replace('callback', 'Callback')],
    ['another port', callback.replace('8090', '8091')],
    ['https', callback.replace('http:', 'https:')],
    ['two slashes', callback.replace('/callback', '//callback')],
    ['dots', callback.replace('/callback', '/x/../callback')],
    ['an encoded dot', callback.replace('/callback', '/%2e/callback')],
    ['a user name', callback.replace('127.0.0.1', 'evil.test@127.0.0.1')],
    ['a backslash', callback.replace('/callback', '\\callback')],
    ['a fragment', `${callback}#x`],
    ['a query', `${callback}?x=1`],
    ['a dot behind the host', callback.replace('127.0.0.1', '127.0.0.1.')],
    ['a look-alike letter', callback.replace('callback', 'c\u0430llback')],
    ['another site', 'https://evil.test/callback'],
    ['a script', 'javascript:alert(1)//'],
    ['mark-up', '"><script>alert(1)</script>'],
    ['nothing', ''],
  ])('shows an address that is not registered and never goes there: %s', async (_what, uri) => {
    for (const session of [member, pages.stranger()]) {
      const response = await session.get(path('Scheduler', { redirect_uri: uri }))
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      const html = await response.clone().text()
      expect(html).not.toContain('<script')
      expect(await wordsOf(response)).toContain('Error 4709: Redirect URI mismatch')
    }
  })

  test('shows where the addresses first differ, in words too', async () => {
    const received = callback.replace('callback', 'c\u0430llback')
    const response = await member.get(path('Scheduler', { redirect_uri: received }))
    const html = await response.clone().text()
    expect(html).toContain('http://127.0.0.1:8090/c<mark>\u0430</mark>llback')
    expect(html).toContain('http://127.0.0.1:8090/c<mark>a</mark>llback')
    expect(await wordsOf(response)).toContain(
      'They first differ at character 24: received “\u0430” (U+0430), registered “a”.',
    )
  })

  test.each(['nobody', '"><script>alert(1)</script>', "' or 1=1", '', 'x\u0000', 'a'.repeat(9000)])(
    'shows a page for an unknown client_id and repeats nothing of it: %j',
    async (id) => {
      const response = await member.get(path('Scheduler', { client_id: id }))
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
      const html = await response.text()
      expect(html).not.toContain('<script')
      expect(html).toMatch(/Error (4702|300)/)
      if (id.length > 5) expect(html).not.toContain(id.slice(0, 12))
    },
  )

  test.each([
    ['client_id twice', '&client_id=a'],
    ['redirect_uri as a list', '&redirect_uri[]=https://evil.test'],
    ['state twice', '&state=a&state=b'],
    ['a secret in the address', '&client_secret=scs_x'],
    ['state of more than 4 KiB', `&state=${'s'.repeat(4097)}`],
    ['a query of more than 16,000 characters', `&x=${'y'.repeat(16_000)}`],
    ['too many parameters', '&x=1'.repeat(200)],
  ])('shows a page for %s', async (_what, more) => {
    const response = await member.get(path('Scheduler') + more)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(await wordsOf(response)).toContain('This link is broken')
  })

  test('shows a disabled app as such', async () => {
    const response = await member.get(path('Off'))
    expect(response.status).toBe(400)
    expect(await wordsOf(response)).toContain('Error 4717: App has been disabled')
  })

  test.each([
    ['no response_type', { response_type: '' }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['an id token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['a scope that the app does not have', { scope: 'user:delete:user:admin' }, 'invalid_scope'],
    [
      'an unknown challenge method',
      { code_challenge: 'x', code_challenge_method: 'S512' },
      'invalid_request',
    ],
    [
      'an empty challenge method',
      { code_challenge: 'x', code_challenge_method: '' },
      'invalid_request',
    ],
    [
      'a challenge of 42',
      { code_challenge: 'x'.repeat(42), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'a challenge of 129',
      { code_challenge: 'x'.repeat(129), code_challenge_method: 'S256' },
      'invalid_request',
    ],
  ])('tells the app what is its fault before anyone signs in: %s', async (_what, more, error) => {
    const response = await pages.stranger().get(path('Scheduler', { state: 'a b', ...more }))
    expect(response.status).toBe(302)
    const location = locationOf(response)
    expect(location.startsWith(`${callback}?error=${error}&`)).toBe(true)
    expect(location.endsWith('&state=a%20b') || location.endsWith('&state=a+b')).toBe(true)
  })

  test('tells an app that must use PKCE so, and gives no code', async () => {
    const response = await member.get(path('Strict', { state: 's' }))
    expect(locationOf(response)).toContain('error=invalid_request')
    const good = { code_challenge: verifierChallenge, code_challenge_method: 'S256' }
    expect((await member.get(path('Strict', good))).status).toBe(200)
  })

  test.each([
    ['line breaks', '%0D%0ASet-Cookie%3A%20a%3Db'],
    ['4 KiB', 's'.repeat(4096)],
    ['4 KiB of three-byte characters', '%E2%82%AC'.repeat(1365)],
    ['Unicode', '%F0%9F%98%80%C3%BC'],
    ['base64', 'a%2Bb%2Fc%3D%3D'],
    ['bytes that are no UTF-8', '%FF%FE'],
    ['what separates parameters', '%26code%3Dforged%23'],
  ])('gives state back to the byte, through signing in too: %s', async (_what, state) => {
    const session = pages.stranger()
    const toSignIn = await session.get(`${path('Scheduler')}&state=${state}`)
    const html = await (await session.get(locationOf(toSignIn))).text()
    const form = { email: 'member@acme.test', password: 'correct horse battery' }
    const back = await session.submit(html, '/sign-in', form)
    const consent = await (await session.get(locationOf(back))).text()
    const response = await session.submit(consent, '/oauth/consent', { decision: 'allow' })
    expect(response.status).toBe(303)
    expect(locationOf(response)).toMatch(
      /^http:\/\/127\.0\.0\.1:8090\/callback\?code=sac_\w+&state=/,
    )
    expect(locationOf(response).split('&state=')[1]).toBe(state)
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  test('refuses a parameter twice at the address of the app', async () => {
    const response = await member.get(`${path('Scheduler')}&scope=a&scope=b&state=s`)
    expect(locationOf(response)).toMatch(/\?error=invalid_request&.*&state=s$/)
  })

  test.each([
    ['a member, an app for the whole account', 'member@acme.test', 'Directory', 'access_denied'],
    ['a member, an app for sub-accounts', 'member@acme.test', 'Franchise', 'access_denied'],
    ['an admin, an app for sub-accounts', 'admin@acme.test', 'Franchise', 'access_denied'],
    ['a server-to-server app', 'owner@acme.test', 'Reporter', undefined],
    ['a chatbot', 'owner@acme.test', 'Helper bot', undefined],
  ])('gives nobody more than their role: %s', async (_who, email, app, error) => {
    const session = await pages.signIn(email)
    const response = await session.get(path(app, { state: 's' }))
    if (error) expect(locationOf(response)).toContain(`error=${error}`)
    // These have no address to go back to.
    else expect(response.status).toBe(400)
  })

  test.each([
    ['a private app', 'Private', {}],
    ['development credentials', 'Scheduler', 'development'],
  ])(
    'keeps users of other accounts from %s, with a way back to the app',
    async (_what, app, environment) => {
      const client =
        environment === 'development' ? credentialsOf(pages.applied, app, 'development') : undefined
      const asked = client ? { client_id: client.clientId } : {}
      const other = await pages.signIn('member@other.test')
      const response = await other.get(path(app, { ...asked, state: 's' }))
      expect(response.status).toBe(403)
      const html = await response.clone().text()
      expect(await wordsOf(response)).toContain(`${app} is not open to you`)
      expect(html).toContain(`href="${callback}?error=access_denied&amp;state=s"`)
      expect((await member.get(path(app, asked))).status).toBe(200)
    },
  )

  test('takes the other methods for nothing', async () => {
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
      const response = await server.http(path('Scheduler'), { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('location')).toBeNull()
    }
  })

  test('with include_granted_scopes asks for what was granted before as well', async () => {
    const first = await authorizeCode(
      member,
      Object.fromEntries(
        new URLSearchParams(path('Scheduler', { scope: 'meeting:write:meeting' }).split('?')[1]),
      ),
    )
    await pages.token('Scheduler', {
      grant_type: 'authorization_code',
      code: first.code,
      redirect_uri: callback,
    })
    const again = await member.get(
      `${path('Scheduler', { scope: 'user:read:user' })}&include_granted_scopes`,
    )
    expect(await wordsOf(again)).toContain('Create meetings for you')
  })
})
