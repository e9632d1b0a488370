import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { keyStatement } from '@skillpass/contract'

/** A new Ed25519 key. */
export const makeSigningKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey

/** The public half of a key, as the API takes it: 32 bytes in Base64. */
export function publicKeyOf(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

/** The signature of a text, in Base64. */
export const signText = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text), key).toString('base64')

/** What registers a key for an agent, with the proof that `signedBy` holds it. */
export function keyRegistration(username: string, key: KeyObject, signedBy: KeyObject = key) {
  const publicKey = publicKeyOf(key)
  return { publicKey, proof: signText(signedBy, keyStatement(username, publicKey)) }
}
