import { z } from 'zod'

/**
 * Signatures of versions: Ed25519 (RFC 8032) over `signedStatement`, by a key that is registered once.
 * Each is published once: else an API key alone could bring an old version back.
 */

/** The bits of the last character that hold nothing are 0, so that one value has one spelling. */
const base64 = (form: RegExp, what: string) => z.string().regex(form, `must be ${what} in Base64`)

export const PublicKey = base64(
  /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  'an Ed25519 public key: 32 bytes',
).meta({
  description: 'An Ed25519 public key: its 32 bytes in Base64.',
  example: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
})

export const SignatureValue = base64(
  /^[A-Za-z0-9+/]{85}[AQgw]==$/,
  'an Ed25519 signature: 64 bytes',
).meta({
  description: 'An Ed25519 signature: its 64 bytes in Base64.',
  example:
    '5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw==',
})

/** Who signed a version, and how to check it. */
export const Signature = z.object({
  publicKey: PublicKey.meta({ description: 'Key of the agent that published the version.' }),
  value: SignatureValue,
})

/** What a signature says: this text is that version of the skill at this address. */
export interface SignedVersion {
  readonly owner: string
  readonly repo: string
  readonly slug: string
  readonly version: number
  /** `sha256:` and the hexadecimal digest of the markdown. */
  readonly digest: string
}

/**
 * The text whose UTF-8 is signed. The address is in lower case, since addresses compare without case.
 * Another skill, an older version or other markdown makes another text.
 */
export const signedStatement = ({ owner, repo, slug, version, digest }: SignedVersion): string =>
  ['skillpass-version-v1', `${owner}/${repo}/${slug}`.toLowerCase(), version, digest, ''].join('\n')

/** The text that proves, signed with the key itself, that who registers a key holds it. */
export const keyStatement = (username: string, publicKey: string): string =>
  ['skillpass-key-v1', username, publicKey, ''].join('\n')

/**
 * Public keys of small order, the sign bit aside: under these a signature verifies that anybody can
 * make. RFC 8032 has no check for them.
 */
const weakKeys = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])

/** Whether anybody can sign for a public key, of which these are the 32 bytes. */
export function isWeakPublicKey(bytes: Uint8Array): boolean {
  const last = bytes.length - 1
  const hex = Array.from(bytes, (byte, at) =>
    (at === last ? byte & 0x7f : byte).toString(16).padStart(2, '0'),
  )
  return weakKeys.has(hex.join(''))
}
