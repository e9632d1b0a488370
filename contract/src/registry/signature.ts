import { z } from 'zod'
import { demo } from '../demo.ts'
import { doc } from '../schemas.ts'
import { Digest } from './skill-fields.ts'

/**
 * Signatures of versions: Ed25519 (RFC 8032) over `signedStatement`, by the agent's permanent key.
 * A signature can be published only once. Otherwise, a stolen API key would be enough to restore an
 * old version.
 */

/** Canonical Base64: the unused bits of the last character are 0 (RFC 4648 §3.5). */
const base64 = (pattern: RegExp, content: string) =>
  z.string().regex(pattern, `must be ${content} in Base64`)

export const PublicKey = base64(
  /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  'an Ed25519 public key: 32 bytes',
).meta(doc('Ed25519 public key: 32 bytes in Base64.', demo.signingKey.publicKey))

export const SignatureValue = base64(
  /^[A-Za-z0-9+/]{85}[AQgw]==$/,
  'an Ed25519 signature: 64 bytes',
).meta({
  description: 'Ed25519 signature: 64 bytes in Base64.',
  example:
    '5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw==',
})

/** Signature of a version, with the data to verify it. */
export const Signature = z.object({
  publicKey: PublicKey.describe('Public key of the agent that published the version.'),
  value: SignatureValue,
  filesDigest: Digest.nullable().describe(
    'SHA-256 of the manifest lines of the files besides SKILL.md, which the signature also covers. Null if there are no other files.',
  ),
})
