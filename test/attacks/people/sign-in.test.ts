import { expect, test } from 'vitest'
import { declare, password } from '../../support/apps.ts'
import { hiddenFields, openSession, reachedFrom, type Session } from '../../support/people.ts'
import { startTestServer } from '../../support/server.ts'
import { stored } from '../secrets/stored.ts'

interface Credentials {
  email: string
  password: string
}

const server = await startTestServer({ env: { TRUST_PROXY: '1' } })
let users = 0

/** Declares a user that no other test signs in. */
async function newUser(): Promise<Credentials> {
  const user = { email: `p${++users}@crowd.test`, password }
  const declared = [{ ...user, role: 'member' as const }]
  await declare(server, { accounts: [{ name: 'Crowd', users: declared }] })
  return user
}

const from = (address: string) => openSession(reachedFrom(() => address, server))

async function statusOf(browser: Session, credentials: Credentials): Promise<number> {
  const html = await (await browser.get('/sign-in')).text()
  return (await browser.submit(html, '/sign-in', { ...credentials })).status
}

/** Ten wrong passwords, each from another network. */
async function guess(user: Credentials): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const wrong = { ...user, password: `guess number ${i}` }
    expect(await statusOf(from(`10.${i}.2.1`), wrong)).toBe(400)
  }
}

// `guessing.test.ts` tests shared counting in Redis.
test('all addresses together get ten guesses a minute at an account, and a known browser still signs in', async () => {
  const [target, second, third] = [await newUser(), await newUser(), await newUser()]
  const own = from('192.0.2.9')
  expect(await statusOf(own, target)).toBe(303)
  const statuses: number[] = []
  for (let i = 0; i < 24; i += 4) {
    const guesses = [i, i + 1, i + 2, i + 3].map((n) =>
      statusOf(from(`10.${n}.0.1`), { ...target, password: `guess number ${n}` }),
    )
    statuses.push(...(await Promise.all(guesses)))
  }
  const checked = statuses.filter((status) => status === 400).length
  // The three other requests of a batch may be checked together with the tenth.
  expect(checked).toBeGreaterThanOrEqual(10)
  expect(checked).toBeLessThanOrEqual(13)
  expect(statuses.filter((status) => status === 429)).toHaveLength(24 - checked)

  // An unknown browser is refused even with the right password.
  expect(await statusOf(from('192.0.2.10'), target)).toBe(429)
  expect(await statusOf(own, target)).toBe(303)
  expect(await statusOf(from('192.0.2.11'), second)).toBe(303)
  // The cookie of another user does not make a browser known.
  const stranger = from('192.0.2.12')
  expect(await statusOf(stranger, third)).toBe(303)
  expect(await statusOf(stranger, target)).toBe(429)
})

test('a known browser is no longer recognized after a password change or with another cookie', async () => {
  const user = await newUser()
  const own = from('192.0.2.40')
  const form = await (await own.get('/sign-in')).text()
  const { headers } = await own.submit(form, '/sign-in', { ...user })
  const [, cookie = ''] =
    /skillpass_browser=([^;]+); Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/m.exec(
      headers.getSetCookie().join('\n'),
    ) ?? []
  const cookieValue = decodeURIComponent(cookie)
  expect(cookieValue).toMatch(/^[\w-]+:\w+:v1\.[0-9a-f]{12}\.[\w-]{43}$/)
  await guess(user)
  const withCookie = async (value: string, credentials = user) => {
    const browser = from('192.0.2.41')
    const html = await (await browser.get('/sign-in')).text()
    const cookie = `${browser.cookie()}; skillpass_browser=${encodeURIComponent(value)}`
    const response = await server.http('/sign-in', {
      method: 'POST',
      headers: { cookie, 'x-forwarded-for': '192.0.2.41' },
      body: new URLSearchParams({ ...hiddenFields(html, '/sign-in'), ...credentials }),
    })
    return response.status
  }
  const [id = '', time = '', proof = ''] = cookieValue.split(':')
  expect(await stored(server.database)).not.toContain(proof)
  for (const forged of [
    `${id}:${time}:`,
    `${id}:${(Number.parseInt(time, 36) + 1).toString(36)}:${proof}`,
    `${id}:${time}:${proof.slice(0, -1)}${proof.endsWith('A') ? 'B' : 'A'}`,
    'x'.repeat(900),
  ]) {
    expect(await withCookie(forged)).toBe(429)
  }
  expect(await withCookie(cookieValue)).toBe(303)
  const next = { ...user, password: 'another horse battery' }
  await declare(server, { accounts: [{ name: 'Crowd', users: [next] }] })
  expect(await withCookie(cookieValue, next)).toBe(429)
})
