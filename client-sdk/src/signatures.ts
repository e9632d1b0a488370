import {
  isWeakPublicKey,
  type SignedVersion,
  signedStatement,
} from './contract/registry/signed-statement.ts'
import { SignatureError } from './errors.ts'

/**
 * Signature requirement: false accepts unsigned markdown, true requires a valid signature, and a
 * list of public keys (Base64) requires a signature by one of them.
 */
export type RequireSigned = boolean | readonly string[]

/** Matches exactly one signature. A repeated header is joined with a comma and does not match. */
const field =
  /^key=:([A-Za-z0-9+/]{43}=):, sig=:([A-Za-z0-9+/]{86}==):(?:, files="(sha256:[0-9a-f]{64})")?$/

/** Signing key and signed digest of the other files; null if the version is not signed. */
export interface CheckedSignature {
  readonly signedBy: string | null
  readonly filesDigest: string | null
}

/**
 * Verifies the `Skillpass-Signature` header of a version.
 *
 * @throws SignatureError if the header is malformed, the signature does not verify, or `required` is not met.
 */
export async function checkSignature(
  signed: Omit<SignedVersion, 'filesDigest'>,
  header: string | null,
  required: RequireSigned,
): Promise<CheckedSignature> {
  const what = `${signed.owner}/${signed.repo}/${signed.slug}, version ${signed.version}`
  if (header === null) {
    if (required === false) return unsigned
    throw new SignatureError({ message: `${what}, is not signed.` })
  }
  const [, key, value, filesDigest = null] = field.exec(header) ?? []
  if (key === undefined || value === undefined) {
    throw new SignatureError({ message: `The Skillpass-Signature of ${what}, is malformed.` })
  }
  if (typeof required !== 'boolean' && !required.includes(key)) {
    throw new SignatureError({ message: `${what}, is signed by ${key}, which you do not trust.` })
  }
  if (isWeakPublicKey(bytesOf(key))) {
    throw new SignatureError({
      message: `${what}, is signed by ${key}, a weak key for which anyone can sign.`,
    })
  }
  const statement = signedStatement({ ...signed, filesDigest })
  if (await verifies(statement, key, value)) return { signedBy: key, filesDigest }
  throw new SignatureError({ message: `The signature of ${what}, does not verify.` })
}

/** Result for a version that is not signed or was not checked. */
export const unsigned: CheckedSignature = { signedBy: null, filesDigest: null }

/** Verifies an Ed25519 signature. Browsers require https or localhost for WebCrypto. */
async function verifies(statement: string, key: string, value: string): Promise<boolean> {
  const publicKey = await crypto.subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify'])
  const text = new TextEncoder().encode(statement)
  return crypto.subtle.verify('Ed25519', publicKey, bytesOf(value), text)
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
