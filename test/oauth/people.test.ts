import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { hashPassword, verifyPassword } from '@skillpass/server/people/passwords'
import { createSession, findSession, signIn } from '@skillpass/server/people/sign-in'
import { findUserByEmail } from '@skillpass/server/store/platform/users'
import { expect, test, vi } from 'vitest'
import { declare, password, removeUser, userOf } from '../support/apps.ts'
import { testRandom } from '../support/random.ts'
import { startTestServer } from '../support/server.ts'
import { lowerPasswordCost, raisePasswordCost } from '../support/settings.ts'

const claim = { source: '192.0.2.1' }

test('a password hash has the production parameters and its own salt', async () => {
  raisePasswordCost()
  const stored = await hashPassword('pässword one', testRandom, claim).finally(lowerPasswordCost)
  expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  const [one, two] = [
    await hashPassword('pässword one', testRandom, claim),
    await hashPassword('pässword one', testRandom, claim),
  ]
  expect(one).not.toBe(two)
})

test('a password is verified in any Unicode composition, and no other password is', async () => {
  const stored = await hashPassword('pässword one', testRandom, claim)
  expect(await verifyPassword('pa\u0308ssword one', stored, claim)).toBe(true)
  expect(await verifyPassword('pässword onE', stored, claim)).toBe(false)
  expect(await verifyPassword('pässword one', undefined, claim)).toBe(false)
})

test('many sign-ins from one address delay another address by at most two hashes', async () => {
  let done = 0
  const guess = () => verifyPassword('guess', undefined, claim).then(() => done++)
  const tries = Promise.all(Array.from({ length: 60 }, guess))
  expect(await verifyPassword('guess', undefined, { source: '192.0.2.2' })).toBe(false)
  expect(done).toBeLessThan(10)
  await tries
})

test('a password is not hashed if the client has disconnected', async () => {
  const signal = AbortSignal.abort()
  await expect(verifyPassword('guess', undefined, { ...claim, signal })).rejects.toBe(signal.reason)
})

const { ctx } = await startTestServer()
const users = [
  { email: 'Olga@Acme.test', password, role: 'owner' },
  { email: 'leaver@acme.test', password },
] as const
const applied = await declare({ ctx }, { accounts: [{ name: 'Acme', users }] })
const right = { email: 'olga@acme.TEST', password }
const wrong = { email: 'olga@acme.test', password: 'another password' }
let addresses = 0
const newAddress = () => `192.0.2.${++addresses}`

test('an unknown email gets the same error and takes the same work as a wrong password', async () => {
  const hashes = vi.spyOn(crypto, 'scrypt')
  syncBuiltinESMExports()
  const refusals: unknown[] = []
  for (const email of ['olga@acme.test', 'nobody@acme.test']) {
    refusals.push(await signIn(ctx, { ...wrong, email }, newAddress()))
  }
  const work = hashes.mock.calls.map(([, salt, length, options]) => [
    Buffer.byteLength(salt),
    length,
    options,
  ])
  hashes.mockRestore()
  syncBuiltinESMExports()
  expect(refusals[1]).toEqual(refusals[0])
  expect(work).toHaveLength(2)
  expect(work[1]).toEqual(work[0])
})

test('an address with failures for fifty emails is refused for every other email', async () => {
  const from = newAddress()
  for (let i = 0; i < 50; i++) await signIn(ctx, { ...wrong, email: `x${i}@acme.test` }, from)
  expect(await signIn(ctx, right, from)).toMatchObject({ refused: 'tooMany', retryAfter: 300 })
})

test("a new password ends the user's sessions and invalidates the old password", async () => {
  const email = 'changing@acme.test'
  const set = async (password: string) => {
    const accounts = [{ name: 'Acme', users: [{ email, password }] }]
    return userOf(await declare({ ctx }, { accounts }), email)
  }
  const secret = await createSession(ctx, await set(password))
  await set('quite another one')
  expect(await findSession(ctx, secret)).toBeUndefined()
  const changed = { email, password: 'quite another one' }
  expect(await signIn(ctx, changed, newAddress())).toHaveProperty('user')
  const refused = await signIn(ctx, { email, password }, newAddress())
  expect(refused).toHaveProperty('refused')
})

test('a removed user is signed out, cannot sign in, and frees the email for another', async () => {
  const credentials = { email: 'leaver@acme.test', password }
  const former = userOf(applied, 'leaver@acme.test')
  const secret = await createSession(ctx, former)
  const removed = await removeUser({ ctx }, 'LEAVER@acme.test')
  expect(removed.accounts[0]?.users).toEqual([])
  expect(await findSession(ctx, secret)).toBeUndefined()
  expect(await signIn(ctx, credentials, newAddress())).toHaveProperty('refused')

  const other = { name: 'Other', users: [credentials] }
  const next = userOf(await declare({ ctx }, { accounts: [other] }), 'leaver@acme.test')
  expect(next.id).not.toBe(former.id)
  expect((await findUserByEmail(ctx.db.read, 'Leaver@Acme.Test'))?.id).toBe(next.id)
  expect(await findSession(ctx, secret)).toBeUndefined()
})
