import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { setPasswordCost } from '@skillpass/server/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { declare, password, removeUser, userOf } from '../support/apps.ts'
import { openSession, type Session, signIn } from '../support/people.ts'
import { startTestServer } from '../support/server.ts'
import { until } from '../support/waiting.ts'

const server = await startTestServer({ env: { TRUST_PROXY: '1' } })
const users = [
  { email: 'Olga@Acme.test', password: 'pa\u0308ssword one', role: 'owner' },
  { email: 'leaver@acme.test', password },
] as const
const applied = await declare(server, { accounts: [{ name: 'Acme', users }] })

let addresses = 0
const newAddress = () => `192.0.2.${++addresses}`

/** Opens the sign-in page from a new address. Returns a function that submits its form. */
async function openForm(signal = new AbortController().signal) {
  const session = openSession({ http: (path, init) => server.http(path, { ...init, signal }) })
  const html = await (await session.get('/sign-in')).text()
  const from = { 'x-forwarded-for': newAddress() }
  return (email: string, password: string) =>
    session.submit(html, '/sign-in', { email, password }, from)
}

const statusOf = async (email: string, password: string) =>
  (await (await openForm())(email, password)).status

/** Whether a session is still signed in. */
const isSignedIn = async (session: Session) => (await session.get('/my/apps')).status === 200

/** Records the hashes until the end of the test. */
function spyOnHashes() {
  const hashes = vi.spyOn(crypto, 'scrypt')
  syncBuiltinESMExports()
  onTestFinished(() => {
    hashes.mockRestore()
    syncBuiltinESMExports()
  })
  return hashes.mock.calls
}

test('a password hash has the production parameters and its own salt', async () => {
  setPasswordCost('production')
  const users = ['one', 'two'].map((name) => ({ email: `${name}@acme.test`, password }))
  await declare(server, { accounts: [{ name: 'Acme', users }] }).finally(() =>
    setPasswordCost('low'),
  )
  const found = await server.ctx.db.read
    .selectFrom('users')
    .select('password_hash')
    .where('email', 'in', ['one@acme.test', 'two@acme.test'])
    .execute()
  const hashes = found.map((row) => row.password_hash)
  const stored = expect.stringMatching(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(hashes).toEqual([stored, stored])
  expect(new Set(hashes).size).toBe(2)
})

test('a password is verified in any Unicode composition, and no other password is', async () => {
  expect(await statusOf('olga@acme.TEST', 'p\u00e4ssword one')).toBe(303)
  expect(await statusOf('olga@acme.TEST', 'p\u00e4ssword onE')).toBe(400)
})

test('sign-ins of one address hardly delay another, and are not checked without a client', async () => {
  setPasswordCost('production')
  onTestFinished(() => setPasswordCost('low'))
  const hashes = spyOnHashes()
  const crowd = new AbortController()
  const guess = await openForm(crowd.signal)
  const guesses = Array.from({ length: 40 }, (_, i) => guess(`x${i}@acme.test`, 'guess'))
  await until('the hashes start', () => hashes.length > 0)
  expect(await statusOf('leaver@acme.test', password)).toBe(303)
  crowd.abort()
  await Promise.allSettled(guesses)
  expect(await statusOf('leaver@acme.test', password)).toBe(303)
  expect(hashes.length).toBeLessThan(20)
})

test('an unknown email takes the same work as a wrong password', async () => {
  const hashes = spyOnHashes()
  for (const email of ['olga@acme.test', 'nobody@acme.test']) {
    expect(await statusOf(email, 'another password')).toBe(400)
  }
  const work = hashes.map(([, salt, length, options]) => [Buffer.byteLength(salt), length, options])
  expect(work).toHaveLength(2)
  expect(work[1]).toEqual(work[0])
})

test('signing up with a known email takes the same work as with an unknown one', async () => {
  const hashes = spyOnHashes()
  const person = { first_name: 'Ada', organization: '', last_name: '' }
  for (const [email, status] of [
    ['olga@acme.test', 400],
    ['ada@engines.test', 303],
  ] as const) {
    const session = openSession(server)
    const html = await (await session.get('/sign-up')).text()
    const from = { 'x-forwarded-for': newAddress() }
    const form = { ...person, email, password: 'another password' }
    expect((await session.submit(html, '/sign-up', form, from)).status).toBe(status)
  }
  expect(hashes).toHaveLength(2)
})

test('an address with failures for fifty emails is refused for every other email', async () => {
  const attempt = await openForm()
  for (let i = 0; i < 50; i++) await attempt(`y${i}@acme.test`, 'guess')
  const refused = await attempt('leaver@acme.test', password)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300'])
})

test("a new password ends the user's sessions and invalidates the old password", async () => {
  const email = 'changing@acme.test'
  const set = (password: string) =>
    declare(server, { accounts: [{ name: 'Acme', users: [{ email, password }] }] })
  await set(password)
  const session = await signIn(server, { email, password })
  await set('quite another one')
  expect(await isSignedIn(session)).toBe(false)
  expect(await statusOf(email, 'quite another one')).toBe(303)
  expect(await statusOf(email, password)).toBe(400)
})

test('a removed user is signed out, cannot sign in, and frees the email for another', async () => {
  const credentials = { email: 'leaver@acme.test', password }
  const session = await signIn(server, credentials)
  expect(await isSignedIn(session)).toBe(true)
  const removed = await removeUser(server, 'LEAVER@acme.test')
  expect(removed.accounts[0]?.users).toEqual([])
  expect(await isSignedIn(session)).toBe(false)
  expect(await statusOf(credentials.email, password)).toBe(400)

  const other = { name: 'Other', users: [credentials] }
  const next = userOf(await declare(server, { accounts: [other] }), credentials.email)
  expect(next.id).not.toBe(userOf(applied, credentials.email).id)
  expect(await statusOf('Leaver@Acme.Test', password)).toBe(303)
  expect(await isSignedIn(session)).toBe(false)
})
