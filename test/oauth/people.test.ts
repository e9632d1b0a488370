import { hashPassword, verifyPassword } from '@skillpass/server/platform/passwords'
import {
  createSession,
  findSession,
  sessionLifetime,
  signIn,
} from '@skillpass/server/platform/sign-in'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { describe, expect, onTestFinished, test } from 'vitest'
import { declare, password, userOf } from '../support/apps.ts'
import { engine } from '../support/databases.ts'
import { openOperations, textOf } from '../support/operations.ts'
import { testRandom } from '../support/random.ts'
import { lowerPasswordCost, raisePasswordCost } from '../support/settings.ts'

const person = (email: string, role: 'owner' | 'admin' | 'member' = 'member') => ({
  email,
  password,
  role,
})

// Long enough, at 12 ms, to be told from what else a sign-in takes.
const measurable = 2 ** 13
lowerPasswordCost(measurable)

describe('passwords', () => {
  test('are told from others, and stored with their parameters and a salt of their own', async () => {
    raisePasswordCost()
    onTestFinished(() => lowerPasswordCost(measurable))
    const [one, two] = await Promise.all([
      hashPassword('pässword one', testRandom, claim),
      hashPassword('pässword one', testRandom, claim),
    ])
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
    // A password of equal letters, composed in another way.
    expect(await verifyPassword('pa\u0308ssword one', one, claim)).toBe(true)
    expect(await verifyPassword('pässword onE', one, claim)).toBe(false)
    expect(await verifyPassword('pässword one', undefined, claim)).toBe(false)
  })

  test('sixteen of an address at once are taken, and one more is told to come back', async () => {
    const tries = Array.from({ length: 17 }, () => verifyPassword('guess', undefined, claim))
    const results = await Promise.allSettled(tries)
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toEqual([
      {
        status: 'rejected',
        reason: expect.objectContaining({ code: 503, retryAfter: 2 }),
      },
    ])
    expect(await verifyPassword('guess', undefined, claim)).toBe(false)
  })
})

/** Whose turn the hashes of these tests take. */
const claim = { source: '192.0.2.1' }

describe('people', async () => {
  const { ctx, clock } = await openOperations(engine)
  const applied = await declare(
    { ctx },
    {
      accounts: [
        {
          name: 'Acme',
          users: [person('Olga@Acme.test', 'owner'), person('leaver@testAccounts.test')],
        },
      ],
    },
  )
  const olga = userOf(applied, 'Olga@Acme.test')
  const right = { email: 'olga@testAccounts.TEST', password }
  const wrong = { email: 'olga@testAccounts.test', password: 'another password' }
  let addresses = 0
  const address = () => `192.0.2.${++addresses}`

  test('sign in with the email in any case, and with the right password alone', async () => {
    expect(await signIn(ctx, right, address())).toMatchObject({
      user: { id: olga.id, email: 'Olga@Acme.test', role: 'owner' },
    })
    expect(await signIn(ctx, wrong, address())).toMatchObject({ refused: 'mismatch' })
  })

  test('an unknown email is refused in the words and the time of a wrong password', {
    retry: 2,
  }, async () => {
    const ms = { 'olga@testAccounts.test': Infinity, 'nobody@testAccounts.test': Infinity }
    // No attempt counts for the next test, nor for this one should it run again.
    clock.advance(300_000)
    const answers = new Set<string>()
    // The quickest of three tells what the work costs when nothing else disturbs it.
    for (let round = 0; round < 3; round++) {
      for (const email of ['olga@testAccounts.test', 'nobody@testAccounts.test'] as const) {
        const started = performance.now()
        answers.add(JSON.stringify(await signIn(ctx, { ...wrong, email }, address())))
        ms[email] = Math.min(ms[email], performance.now() - started)
      }
    }
    expect(answers.size).toBe(1)
    expect(ms['nobody@testAccounts.test'] / ms['olga@testAccounts.test']).toBeGreaterThan(0.6)
    expect(ms['nobody@testAccounts.test'] / ms['olga@testAccounts.test']).toBeLessThan(1.7)
  })

  test('an email of any characters is unknown, not an error', async () => {
    for (const email of ['', '\0', 'olga@testAccounts.test\0', '\ud800', 'x'.repeat(100_000)]) {
      const answer = await signIn(ctx, { email, password }, address())
      expect(answer).toMatchObject({ refused: 'mismatch' })
    }
  })

  test('after five failures even the right password waits, from this address, for this email', async () => {
    const from = address()
    clock.advance(300_000)
    for (let i = 0; i < 5; i++) {
      clock.advance(1000)
      expect(await signIn(ctx, wrong, from)).toMatchObject({ refused: 'mismatch' })
    }
    const blocked = await signIn(ctx, right, from)
    expect(blocked).toMatchObject({ refused: 'tooMany', retryAfter: 296 })
    expect(await signIn(ctx, { ...right, email: 'OLGA@testAccounts.test' }, from)).toEqual(blocked)
    expect(await signIn(ctx, right, address())).toHaveProperty('user')
    expect(await signIn(ctx, { email: 'leaver@testAccounts.test', password }, from)).toHaveProperty(
      'user',
    )
    clock.advance(295_999)
    expect(await signIn(ctx, right, from)).toMatchObject({ refused: 'tooMany', retryAfter: 1 })
    clock.advance(1)
    expect(await signIn(ctx, right, from)).toHaveProperty('user')
  })

  test('of eight guesses at once, five are answered and the right one among the last is not', async () => {
    const from = address()
    const guesses = Array.from({ length: 7 }, () => signIn(ctx, wrong, from))
    // Postgres looks users up on several connections: only who comes later surely waits behind.
    await Promise.all(guesses.slice(0, 4))
    const answers = await Promise.all([...guesses, signIn(ctx, right, from)])
    const told = answers.filter((answer) => 'refused' in answer && answer.refused === 'mismatch')
    expect(told.length).toBeGreaterThanOrEqual(5)
    expect(told.length).toBeLessThanOrEqual(6)
    expect(answers.at(-1)).toMatchObject({ refused: 'tooMany' })
  })

  test('an address that failed with fifty emails is refused for every other', async () => {
    const from = address()
    for (let i = 0; i < 50; i++) await ctx.limiter.take(`sign-in-address:${from}`, 50, 300_000)
    expect(await signIn(ctx, right, from)).toMatchObject({ refused: 'tooMany', retryAfter: 300 })
  })

  test('signing in often without failures is never too often', async () => {
    const from = address()
    for (let i = 0; i < 7; i++) expect(await signIn(ctx, right, from)).toHaveProperty('user')
  })

  describe('sessions', () => {
    test('open for twelve hours and not a moment longer, and tell the last sign-in', async () => {
      const secret = await createSession(ctx, olga)
      const signedInAt = clock.now()
      clock.advance(sessionLifetime - 1)
      expect((await findSession(ctx, secret))?.user).toMatchObject({
        id: olga.id,
        lastLoginAt: signedInAt,
      })
      clock.advance(1)
      expect(await findSession(ctx, secret)).toBeUndefined()
    })

    test('each sign-in has a secret of its own, of which a hash alone is stored', async () => {
      const [one, two] = [await createSession(ctx, olga), await createSession(ctx, olga)]
      expect(one).not.toBe(two)
      const stored = await textOf(ctx, 'sessions')
      expect(stored).not.toContain(one.slice(12))
      expect(stored).not.toContain(two.slice(12))
    })

    test('a text that is none opens nothing', async () => {
      for (const text of ['', 'sse_', 'nonsense', `${await createSession(ctx, olga)}x`]) {
        expect(await findSession(ctx, text)).toBeUndefined()
      }
    })

    test('end with another password', async () => {
      const secret = await createSession(ctx, olga)
      const users = [{ email: 'olga@testAccounts.test', password: 'quite another one' }]
      await declare({ ctx }, { accounts: [{ name: 'Acme', users }] })
      expect(await findSession(ctx, secret)).toBeUndefined()
      const answer = await signIn(ctx, { ...right, password: 'quite another one' }, address())
      expect(answer).toHaveProperty('user')
      expect(await signIn(ctx, right, address())).toHaveProperty('refused')
      await declare(
        { ctx },
        { accounts: [{ name: 'Acme', users: [person('Olga@Acme.test', 'owner')] }] },
      )
    })
  })

  test('a removed user is signed out, cannot sign in, and frees the email for another', async () => {
    const credentials = { email: 'leaver@testAccounts.test', password }
    const former = userOf(applied, 'leaver@testAccounts.test')
    const secret = await createSession(ctx, former)
    const users = [{ email: 'LEAVER@testAccounts.test', removed: true }]
    const removed = await declare({ ctx }, { accounts: [{ name: 'Acme', users }] })
    expect(removed.accounts[0]?.users).toEqual([])
    expect(await findSession(ctx, secret)).toBeUndefined()
    expect(await signIn(ctx, credentials, address())).toHaveProperty('refused')

    const other = await declare(
      { ctx },
      { accounts: [{ name: 'Other', users: [person('leaver@testAccounts.test')] }] },
    )
    const next = userOf(other, 'leaver@testAccounts.test')
    expect(next.id).not.toBe(former.id)
    expect((await findUserByEmail(ctx.db.read, 'Leaver@Acme.Test'))?.id).toBe(next.id)
    expect(await findSession(ctx, secret)).toBeUndefined()
  })
})
