import { createHash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from './context.ts'

declare const plain: unique symbol
declare const hashed: unique symbol

/** A secret in plain text. It is shown once and never stored. */
export type Secret = string & { readonly [plain]: true }
/** The SHA-256 of a secret, hexadecimal: the only form that has a column. */
export type SecretHash = string & { readonly [hashed]: true }

/** One prefix per kind of secret, so that each is refused in another's place. */
const prefixes = { apiKey: 'skp_' } as const
type Kind = keyof typeof prefixes

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 30
const checkLength = 6
const shape = /^[0-9A-Za-z]{36}$/

/** Makes a secret: prefix, 30 random base62 characters (178 bits), 6 of checksum. */
export function createSecret(kind: Kind, random: Random): Secret {
  const body = randomBase62(random)
  return `${prefixes[kind]}${body}${checksum(prefixes[kind] + body)}` as Secret
}

/** The secret that `text` is, or nothing: a mistyped one is told by its checksum, without a look-up. */
export function parseSecret(kind: Kind, text: string): Secret | undefined {
  const prefix = prefixes[kind]
  const rest = text.slice(prefix.length)
  if (!text.startsWith(prefix) || !shape.test(rest)) return undefined
  const whole = checksum(text.slice(0, prefix.length + bodyLength)) === rest.slice(bodyLength)
  return whole ? (text as Secret) : undefined
}

/** The stored form. Secrets made here have over 128 random bits, so no slow hash is needed. */
export function hashSecret(secret: Secret): SecretHash {
  return createHash('sha256').update(secret).digest('hex') as SecretHash
}

/** The beginning of a secret, by which its owner recognises it. */
export const secretPrefix = (secret: Secret): string => secret.slice(0, 10)

/** Compares without telling by the time it takes where the two differ. */
export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

function randomBase62(random: Random): string {
  let text = ''
  while (text.length < bodyLength) {
    for (const byte of random.bytes(bodyLength)) {
      // 248 is the largest multiple of 62 in a byte; what lies above would favour some characters.
      if (byte < 248 && text.length < bodyLength) text += alphabet[byte % 62]
    }
  }
  return text
}

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let i = 0; i < checkLength; i++) {
    digits = alphabet[value % 62] + digits
    value = Math.floor(value / 62)
  }
  return digits
}
