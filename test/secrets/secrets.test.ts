import { systemRandom } from '@skillpass/server/runtime/time'
import {
  createDatedSecret,
  createSecret,
  dateKey,
  dateOf,
  equalSecrets,
  hashSecret,
  parseSecret,
  type SecretKind,
} from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'

const now = Date.UTC(2026, 10, 21, 9, 30)
const dated = [
  'accessToken',
  'refreshToken',
  'authorizationCode',
  'deviceCode',
  'session',
  'consent',
] as const
const undated = ['apiKey', 'clientSecret', 'webhookSecret'] as const
const kinds: readonly SecretKind[] = [...dated, ...undated]

const make = (kind: SecretKind) => {
  const isDated = dated.find((one) => one === kind)
  const plain = undated.find((one) => one === kind)
  if (isDated) return createDatedSecret(isDated, systemRandom, now)
  if (plain) return createSecret(plain, systemRandom)
  throw new Error(`${kind} is no kind of secret.`)
}

describe.each(kinds)('a secret of kind %s', (kind) => {
  const secret = make(kind)

  test('a secret is parsed as its own kind and as no other', () => {
    for (const other of kinds)
      expect(parseSecret(other, secret)).toBe(other === kind ? secret : undefined)
  })

  test('a secret with one character changed, dropped or added is refused', () => {
    for (let i = 0; i < secret.length; i++) {
      const flipped = secret.charAt(i) === 'a' ? 'b' : 'a'
      const changed = secret.slice(0, i) + flipped + secret.slice(i + 1)
      expect(parseSecret(kind, changed)).toBeUndefined()
      expect(parseSecret(kind, secret.slice(0, i) + secret.slice(i + 1))).toBeUndefined()
    }
    for (const text of [`${secret}0`, ` ${secret}`, `${secret}\n`, '', secret.toUpperCase()]) {
      expect(parseSecret(kind, text)).toBeUndefined()
    }
  })

  test('a stored secret is a hash that reveals only its creation time', () => {
    const hash = hashSecret(secret)
    const isDated = dated.some((one) => one === kind)
    expect(hash).toMatch(isDated ? /^[0-9a-f]{8}[\w-]{43}$/ : /^[0-9a-f]{64}$/)
    expect(hash).not.toContain(secret.slice(12, 30))
    expect(hashSecret(make(kind))).not.toBe(hash)
    if (isDated) {
      expect(dateOf(hash)).toBe(now / 1000)
      expect(hash.startsWith(dateKey(now))).toBe(true)
    }
  })
})

test('equalSecrets compares whole texts', () => {
  expect(equalSecrets('a', 'a')).toBe(true)
  expect(equalSecrets('a', 'b')).toBe(false)
  expect(equalSecrets('a', 'aa')).toBe(false)
  expect(equalSecrets('', '')).toBe(true)
})
