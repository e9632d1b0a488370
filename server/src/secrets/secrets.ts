import { createHash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from './random.ts'

declare const plain: unique symbol
declare const hashed: unique symbol

/** A secret in plain text. Never stored. */
export type Secret = string & { readonly [plain]: true }
/** Stored form of a secret: its SHA-256 hash, preceded by the creation time for dated kinds. */
export type SecretHash = string & { readonly [hashed]: true }

interface Shape {
  readonly prefix: string
  /** Number of random base62 characters: 30 have 178 bits, 43 have 256. */
  readonly random: number
  /**
   * Whether the secret starts with its creation time, in seconds as eight hexadecimal digits. Rows
   * are then stored in the order of creation: inserts touch one page of the index, and expired rows
   * form one range.
   */
  readonly dated: boolean
}

/** Each kind has its own prefix, so that it is rejected in place of another. */
const shapes = {
  apiKey: { prefix: 'skp_', random: 30, dated: false },
  accessToken: { prefix: 'sat_', random: 43, dated: true },
  refreshToken: { prefix: 'srt_', random: 43, dated: true },
  authorizationCode: { prefix: 'sac_', random: 43, dated: true },
  deviceCode: { prefix: 'sdc_', random: 43, dated: true },
  clientSecret: { prefix: 'scs_', random: 43, dated: false },
  webhookSecret: { prefix: 'swt_', random: 43, dated: false },
  /** The random characters and the checksum are 33 bytes in base64 (Standard Webhooks). */
  organizationWebhook: { prefix: 'whsec_', random: 38, dated: false },
  session: { prefix: 'sse_', random: 43, dated: true },
  meetingToken: { prefix: 'smt_', random: 43, dated: true },
  downloadToken: { prefix: 'sdl_', random: 43, dated: true },
  verification: { prefix: 'skv_', random: 30, dated: false },
  report: { prefix: 'skr_', random: 30, dated: false },
  invitation: { prefix: 'ski_', random: 30, dated: false },
  consent: { prefix: 'sco_', random: 43, dated: true },
  browser: { prefix: 'sbr_', random: 43, dated: true },
} as const satisfies Record<string, Shape>

type SecretKind = keyof typeof shapes

type DatedKind = {
  [K in SecretKind]: (typeof shapes)[K]['dated'] extends true ? K : never
}[SecretKind]

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const dateLength = 8
const checkLength = 6
const base62 = /^[0-9A-Za-z]*$/

/** Creates a secret: prefix, random base62 characters, and a checksum of 6 characters. */
export const createSecret = (kind: Exclude<SecretKind, DatedKind>, random: Random): Secret =>
  assemble(shapes[kind].prefix + randomBase62(random, shapes[kind].random))

/** Creates a secret that contains its creation time. `now` is in milliseconds. */
export const createDatedSecret = (kind: DatedKind, random: Pick<Random, 'bytes'>, now: number) =>
  assemble(shapes[kind].prefix + dateKey(now) + randomBase62(random, shapes[kind].random))

/** Parses a secret. The checksum reveals typing errors without a database query. */
export function parseSecret(kind: SecretKind, text: string): Secret | undefined {
  const { prefix, random, dated } = shapes[kind]
  const end = prefix.length + (dated ? dateLength : 0) + random
  if (text.length !== end + checkLength || !text.startsWith(prefix)) return undefined
  if (!base62.test(text.slice(prefix.length))) return undefined
  return checksum(text.slice(0, end)) === text.slice(end) ? (text as Secret) : undefined
}

/** Returns a secret that contains the letters and digits of a text, which is for tests. */
export function completeSecret(kind: SecretKind, text: string): Secret {
  const { prefix, random, dated } = shapes[kind]
  const letters = text.replace(prefix, '').replace(/[^0-9A-Za-z]/g, '')
  const date = dated ? dateKey(0) : ''
  return assemble(prefix + date + letters.slice(0, random).padEnd(random, '0'))
}

/** Returns the stored form. Every kind has over 128 random bits, so a slow hash is not needed. */
export function hashSecret(secret: Secret): SecretHash {
  const shape = Object.values(shapes).find(({ prefix }) => secret.startsWith(prefix))
  const digest = createHash('sha256').update(secret)
  if (!shape?.dated) return digest.digest('hex') as SecretHash
  const { length } = shape.prefix
  return (secret.slice(length, length + dateLength) + digest.digest('base64url')) as SecretHash
}

/** Prefix of the stored form of a dated secret. Sorts by time. */
export const dateKey = (ms: number): string =>
  Math.floor(ms / 1000)
    .toString(16)
    .padStart(dateLength, '0')

/** Creation time of a dated secret from its stored form, in seconds since 1970. */
export const dateOf = (hash: SecretHash): number => Number.parseInt(hash.slice(0, dateLength), 16)

/** Returns the first characters of a secret, by which its owner recognizes it. */
export const secretPrefix = (secret: Secret): string => secret.slice(0, 10)

/** Compares in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** Random letters and digits, 5.95 bits each. */
export const randomBase62 = (random: Pick<Random, 'bytes'>, length: number): string =>
  randomText(random, alphabet, length)

/** Random characters of an alphabet, all equally likely. */
export function randomText(random: Pick<Random, 'bytes'>, characters: string, length: number) {
  // Bytes from the largest multiple on would favor some characters.
  const limit = 256 - (256 % characters.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < limit && text.length < length) text += characters[byte % characters.length]
    }
  }
  return text
}

const assemble = (text: string): Secret => (text + checksum(text)) as Secret

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let i = 0; i < checkLength; i++) {
    digits = alphabet[value % 62] + digits
    value = Math.floor(value / 62)
  }
  return digits
}
