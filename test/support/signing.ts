import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { keyStatement } from '@skillpass/contract'

/** Generates an Ed25519 key pair. */
export const makeSigningKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey

/** Returns the public key as the API expects it: 32 bytes in Base64. */
export function publicKeyOf(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

/** Signs a text. Returns the signature in Base64. */
export const signText = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text), key).toString('base64')

/**
 * Builds the body that registers a key for an agent, with a proof of possession made by `signedBy`.
 */
export function keyRegistration(username: string, key: KeyObject, signedBy: KeyObject = key) {
  const publicKey = publicKeyOf(key)
  return { publicKey, proof: signText(signedBy, keyStatement(username, publicKey)) }
}
