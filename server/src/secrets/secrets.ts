import { createHash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from '../runtime/time.ts'

declare const plain: unique symbol
declare const hashed: unique symbol

/** A secret in plain text. It is shown once and never stored. */
export type Secret = string & { readonly [plain]: true }
/** What is stored of a secret: its SHA-256, behind its date where it has one. */
export type SecretHash = string & { readonly [hashed]: true }

interface Shape {
  readonly prefix: string
  /** Random base62 characters: 30 are 178 bits, 43 are 256. */
  readonly random: number
  /**
   * Whether the second of its making stands in front, in eight hexadecimal digits. Rows of such
   * secrets lie in the order of their making: new ones share a page of the index however many old
   * ones there are, and what has expired is one range of it.
   */
  readonly dated: boolean
}

/** One prefix per kind of secret, so that each is refused in another's place. */
const shapes = {
  apiKey: { prefix: 'skp_', random: 30, dated: false },
  accessToken: { prefix: 'sat_', random: 43, dated: true },
  refreshToken: { prefix: 'srt_', random: 43, dated: true },
  authorizationCode: { prefix: 'sac_', random: 43, dated: true },
  deviceCode: { prefix: 'sdc_', random: 43, dated: true },
  clientSecret: { prefix: 'scs_', random: 43, dated: false },
  webhookSecret: { prefix: 'swt_', random: 43, dated: false },
  session: { prefix: 'sse_', random: 43, dated: true },
  meetingToken: { prefix: 'smt_', random: 43, dated: true },
  verification: { prefix: 'skv_', random: 30, dated: false },
  consent: { prefix: 'sco_', random: 43, dated: true },
} as const satisfies Record<string, Shape>

export type SecretKind = keyof typeof shapes

/** A kind of secret that carries the second of its making. */
export type DatedKind = {
  [K in SecretKind]: (typeof shapes)[K]['dated'] extends true ? K : never
}[SecretKind]

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const dateLength = 8
const checkLength = 6
const base62 = /^[0-9A-Za-z]*$/

/** Makes a secret: prefix, random base62 characters, 6 of checksum. */
export const createSecret = (kind: Exclude<SecretKind, DatedKind>, random: Random): Secret =>
  assemble(shapes[kind].prefix + randomBase62(random, shapes[kind].random))

/** Makes a secret that carries the second of its making; `now` in milliseconds. */
export const createDatedSecret = (
  kind: DatedKind,
  random: Pick<Random, 'bytes'>,
  now: number,
): Secret =>
  assemble(shapes[kind].prefix + dateKey(now) + randomBase62(random, shapes[kind].random))

/** The secret that `text` is, or nothing: a mistyped one is told by its checksum, without a look-up. */
export function parseSecret(kind: SecretKind, text: string): Secret | undefined {
  const { prefix, random, dated } = shapes[kind]
  const end = prefix.length + (dated ? dateLength : 0) + random
  if (text.length !== end + checkLength || !text.startsWith(prefix)) return undefined
  if (!base62.test(text.slice(prefix.length))) return undefined
  return checksum(text.slice(0, end)) === text.slice(end) ? (text as Secret) : undefined
}

/** The stored form. Secrets made here have over 128 random bits, so no slow hash is needed. */
export function hashSecret(secret: Secret): SecretHash {
  const shape = Object.values(shapes).find(({ prefix }) => secret.startsWith(prefix))
  const digest = createHash('sha256').update(secret)
  if (!shape?.dated) return digest.digest('hex') as SecretHash
  const { length } = shape.prefix
  return (secret.slice(length, length + dateLength) + digest.digest('base64url')) as SecretHash
}

/** What stands in front of the stored form of a dated secret: sorts by time. */
export const dateKey = (ms: number): string =>
  Math.floor(ms / 1000)
    .toString(16)
    .padStart(dateLength, '0')

/** When a dated secret was made, seconds since 1970, from its stored form. */
export const dateOf = (hash: SecretHash): number => Number.parseInt(hash.slice(0, dateLength), 16)

/** The beginning of a secret, by which its owner recognises it. */
export const secretPrefix = (secret: Secret): string => secret.slice(0, 10)

/** Compares without telling by the time it takes where the two differ. */
export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** Random letters and digits; each is worth 5.95 bits. */
export function randomBase62(random: Pick<Random, 'bytes'>, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      // 248 is the largest multiple of 62 in a byte; what lies above would favour some characters.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
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
