import { describe, expect, test } from 'vitest'
import { callback, credentialsOf } from '../support/apps.ts'
import { startPages } from '../support/pages.ts'
import { locationOf, wordsOf } from './responses.ts'

describe('the authorize endpoint', async () => {
  const pages = await startPages()
  const member = await pages.signIn('member@acme.test')
  const path = (app: string, parameters = {}) => pages.authorizePath(app, parameters)

  test('a redirect_uri mismatch page shows the received and the registered address and where they differ', async () => {
    const received = callback.replace('callback', 'c\u0430llback')
    const response = await member.get(path('Scheduler', { redirect_uri: received }))
    const html = await response.clone().text()
    expect(html).toContain('http://127.0.0.1:8090/c<mark>\u0430</mark>llback')
    expect(html).toContain('http://127.0.0.1:8090/c<mark>a</mark>llback')
    expect(await wordsOf(response)).toContain(
      'They first differ at character 24: received “\u0430” (U+0430), registered “a”.',
    )
  })

  test.each([
    ['4 KiB of three-byte characters', '%E2%82%AC'.repeat(1365)],
    ['bytes that are not UTF-8', '%FF%FE'],
    ['separators of parameters', '%26code%3Dforged%23'],
    ['line breaks', 'a%0D%0ASet-Cookie%3A%20x%3Dy'],
  ])(
    'the authorization response returns a state of %s to the byte, after a sign-in too',
    async (_what, state) => {
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
    },
  )

  test.each([
    ['a private app', 'Private', {}],
    ['development credentials', 'Scheduler', 'development'],
  ])(
    'users of other accounts are refused %s, with a link back to the app',
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
})
