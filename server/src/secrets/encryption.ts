import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { Random } from './random.ts'

declare const sealed: unique symbol
declare const matched: unique symbol

/**
 * A text encrypted at rest: `v1.KEY_ID.` followed by 12 bytes of nonce, the ciphertext and 16 bytes
 * of tag in base64url (AES-256-GCM).
 */
export type Sealed = string & { readonly [sealed]: true }
/** A text for lookups, which cannot be decrypted: `v1.KEY_ID.` and an HMAC-SHA-256 in base64url. */
export type Matchable = string & { readonly [matched]: true }

/** Use of a text. A ciphertext cannot be decrypted for another use. */
export type SealedPurpose =
  | 'webhook-secret'
  | 'oauth-state'
  | 'passcode'
  | 'shown-secrets'
  | 'mirror-key'
type MatchedPurpose = 'user-code' | 'known-browser' | 'reader'

/** Encrypts, decrypts and matches texts that must not be stored in plain text. */
export type Encryption = ReturnType<typeof createEncryption>

/** A master key: 32 random bytes. */
type EncryptionKey = Uint8Array

export const keyLength = 32

const version = 'v1'
const nonceLength = 12
const tagLength = 16

interface Keys {
  readonly id: string
  readonly seal: Buffer
  readonly match: Buffer
}

/** Creates an encryption that encrypts under `current` and decrypts under all keys. */
export function createEncryption(
  random: Pick<Random, 'bytes'>,
  current: EncryptionKey,
  previous: readonly EncryptionKey[] = [],
) {
  const currentKeys = keysOf(current)
  const known = new Map([currentKeys, ...previous.map(keysOf)].map((keys) => [keys.id, keys]))
  const match = (keys: Keys, purpose: MatchedPurpose, text: string) => {
    const mac = createHmac('sha256', keys.match).update(`${purpose}\0${text}`).digest('base64url')
    return `${version}.${keys.id}.${mac}` as Matchable
  }
  return {
    /** Id of the current key. It does not reveal the key. */
    keyId: currentKeys.id,
    /** Ids of all known keys, the current one first. */
    keyIds: [...known.keys()],
    /** Encrypts under the current key. `row` identifies the row that the text belongs to. */
    seal(purpose: SealedPurpose, row: string, text: string): Sealed {
      const nonce = random.bytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', currentKeys.seal, nonce)
      cipher.setAAD(Buffer.from(`${purpose}\0${row}`))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const bytes = Buffer.concat([nonce, body, cipher.getAuthTag()])
      return `${version}.${currentKeys.id}.${bytes.toString('base64url')}` as Sealed
    },
    /** Throws if the key is unknown, or the text was changed or belongs elsewhere. */
    open(purpose: SealedPurpose, row: string, text: Sealed): string {
      const [form, id = '', body = ''] = text.split('.')
      const keys = form === version ? known.get(id) : undefined
      if (!keys) throw new Error(`no known encryption key can decrypt a ${purpose}`)
      const bytes = Buffer.from(body, 'base64url')
      const nonce = bytes.subarray(0, nonceLength)
      const decipher = createDecipheriv('aes-256-gcm', keys.seal, nonce, {
        authTagLength: tagLength,
      })
      decipher.setAAD(Buffer.from(`${purpose}\0${row}`))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      const plain = decipher.update(bytes.subarray(nonceLength, -tagLength))
      return Buffer.concat([plain, decipher.final()]).toString('utf8')
    },
    /** Returns the stored form under the current key. */
    match: (purpose: MatchedPurpose, text: string) => match(currentKeys, purpose, text),
    /** Returns the stored forms under every known key, to find texts from before a rotation. */
    matches: (purpose: MatchedPurpose, text: string) =>
      [...known.values()].map((keys) => match(keys, purpose, text)),
  }
}

/** Prefix of every text encrypted under a key. */
export const sealedPrefix = (keyId: string): string => `${version}.${keyId}.`

/** Derives a separate key for each use (HKDF, RFC 5869). */
function keysOf(key: EncryptionKey): Keys {
  const derive = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `skillpass ${use}`, length))
  return {
    id: derive('key id', 6).toString('hex'),
    seal: derive('seal', 32),
    match: derive('match', 32),
  }
}
