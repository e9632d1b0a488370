import {
  isWeakPublicKey,
  type SignedVersion,
  signedStatement,
} from './contract/registry/signed-statement.ts'
import { SignatureError } from './errors.ts'

/**
 * What a signature has to show: false takes unsigned markdown, true any signature of its publisher, and
 * public keys (Base64) only one of these, whatever the service says whose key it is.
 */
export type RequireSigned = boolean | readonly string[]

/** One signature: a header that came twice is joined by a comma, and is none. */
const field =
  /^key=:([A-Za-z0-9+/]{43}=):, sig=:([A-Za-z0-9+/]{86}==):(?:, files="(sha256:[0-9a-f]{64})")?$/

/** What a version is signed by, and what is signed along. */
export interface CheckedSignature {
  readonly signedBy: string | null
  readonly filesDigest: string | null
}

/**
 * The key that signed a version, and the digest of the files that it signed along, from the answer's
 * `Skillpass-Signature`; nulls where it is not signed.
 *
 * @throws SignatureError where the header is malformed, or the signature does not verify or is not the one
 * that was asked for.
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
      message: `${what}, is signed by ${key}, for which anybody can sign.`,
    })
  }
  const statement = signedStatement({ ...signed, filesDigest })
  if (await verifies(statement, key, value)) return { signedBy: key, filesDigest }
  throw new SignatureError({ message: `The signature of ${what}, does not verify.` })
}

/** What is not signed, or was not checked. */
export const unsigned: CheckedSignature = { signedBy: null, filesDigest: null }

/** WebCrypto: browsers have Ed25519 since 2025, Node.js since 18; in browsers it needs https or localhost. */
async function verifies(statement: string, key: string, value: string): Promise<boolean> {
  const publicKey = await crypto.subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify'])
  const text = new TextEncoder().encode(statement)
  return crypto.subtle.verify('Ed25519', publicKey, bytesOf(value), text)
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
