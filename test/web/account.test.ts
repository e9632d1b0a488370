import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { addedBy } from '../support/audit.ts'
import { startPages } from '../support/pages.ts'
import { signIn } from '../support/people.ts'
import { locationOf, textOf } from './responses.ts'

const pages = await startPages()
const { server } = pages
const member = { email: 'member@acme.test', password }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

/** Signs a user in with a browser of this name. */
const signInWith = (credentials: typeof member, agent: string) =>
  signIn(
    {
      http: (path, init) =>
        server.http(path, { ...init, headers: { ...init?.headers, 'user-agent': agent } }),
    },
    credentials,
  )

const isSignedIn = async (session: Awaited<ReturnType<typeof signIn>>) =>
  (await session.get('/my/apps')).status === 200

test('changing the password needs the current one, is audited and ends all other sessions', async () => {
  const [session, other] = [await signIn(server, member), await signIn(server, member)]
  const html = await (await session.get('/account')).text()
  const change = (current_password: string, password: string) =>
    session.submit(html, '/account', { current_password, password })
  const wrong = await change('wrong', 'another good password')
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining('id="current_password-mistake">This is not your password.<'),
  ])
  const weak = await change(password, 'short')
  expect([weak.status, await weak.text()]).toEqual([
    400,
    expect.stringContaining('id="password-mistake">'),
  ])
  expect(await isSignedIn(other)).toBe(true)
  const entries = await addedBy(server, async () => {
    const changed = await change(password, 'another good password')
    expect(locationOf(changed)).toBe('/account?done=changed')
  })
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'user.changed', whoKind: 'user', note: 'password' }),
  )
  expect([await isSignedIn(session), await isSignedIn(other)]).toEqual([true, false])
  await expect(signIn(server, member)).rejects.toThrow()
  await signIn(server, { ...member, password: 'another good password' })
})

test('the account page lists where the user is signed in, and can end one session or all', async () => {
  const admin = { ...member, email: 'admin@acme.test' }
  const here = await signInWith(admin, firefox)
  const phone = await signInWith(admin, 'Mozilla/5.0 (iPhone) Version/17 Mobile Safari/604.1')
  const script = await signInWith(admin, 'something/1.0')
  const html = await (await here.get('/account')).text()
  expect(html).toMatch(/Firefox on Linux <span class="badge">This browser<.*127\.0\.0\.0\/24/s)
  expect(html).toMatch(/Safari on iOS.*Unknown browser|Unknown browser.*Safari on iOS/s)
  const forms = [...html.matchAll(/name="session" value="([^"]*)"/g)].map(([, id]) => id ?? '')
  expect(forms.length).toBe(3)
  const ended = await here.submit(html, '/account/sessions/end', { session: forms[0] ?? '' })
  expect(locationOf(ended)).toBe('/account?done=ended')
  const left = [await isSignedIn(phone), await isSignedIn(script)]
  expect([await isSignedIn(here), left.toSorted()]).toEqual([true, [false, true]])
  const all = await here.submit(html, '/account/sessions/end', { session: 'all' })
  expect(locationOf(all)).toBe('/sign-in?done=signed-out')
  for (const session of [here, phone, script]) expect(await isSignedIn(session)).toBe(false)
})

test('nobody can end a session of another user', async () => {
  const admin = { ...member, email: 'admin@acme.test' }
  const victim = await signIn(server, admin)
  const ids = (html: string) => [...html.matchAll(/name="session" value="([^"]*)"/g)]
  const [[, id = ''] = []] = ids(await (await (await signIn(server, admin)).get('/account')).text())
  const mallory = await signIn(server, { ...member, email: 'owner@acme.test' })
  const html = await (await mallory.get('/account')).text()
  const forged = await mallory.submit(html, '/account/sessions/end', { session: id })
  expect([id.length, forged.status]).toEqual([16, 403])
  expect(await isSignedIn(victim)).toBe(true)
})

test('wrong current passwords count as failed sign-ins', async () => {
  const session = await signIn(server, { ...member, email: 'owner@acme.test' })
  const html = await (await session.get('/account')).text()
  const form = { current_password: 'wrong', password: 'another good password' }
  const texts = []
  for (let attempt = 0; attempt < 6; attempt++) {
    texts.push(await textOf(await session.submit(html, '/account', form)))
  }
  expect(texts[0]).toContain('This is not your password.')
  expect(texts[5]).toContain('Too many failed attempts.')
})
