import { z } from 'zod'
import { demo } from '../demo.ts'
import { Digest } from './skill-fields.ts'

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
  example: demo.signingKey.publicKey,
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
  filesDigest: Digest.nullable().meta({
    description:
      'SHA-256 of the lines of the manifest for the files beside SKILL.md, which are signed along; null where there are none.',
  }),
})
