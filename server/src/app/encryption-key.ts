import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../db/files.ts'
import { besideDatabase } from '../db/sqlite-connection.ts'
import { errorCode } from '../errors/error-code.ts'
import { parseEncryptionKey } from '../runtime/config/checks.ts'
import type { Config } from '../runtime/config/config.ts'
import type { OperatorContext } from '../runtime/context.ts'
import {
  createEncryption,
  type Encryption,
  keyLength,
  type Sealed,
  sealedPrefix,
} from '../secrets/encryption.ts'
import type { Random } from '../secrets/random.ts'
import * as store from '../store/encryption-keys.ts'

type KeySettings = Pick<Config, 'databaseUrl' | 'encryptionKeys'>
type Bytes = Pick<Random, 'bytes'>

/**
 * Opens the encryption under `ENCRYPTION_KEY`. If it is not set, outside production, uses a key
 * that is created once in a file of mode 0600: beside the SQLite file, or for Postgres in `data/`
 * under the database's name. Throws if that file cannot be used.
 */
export async function openEncryption(config: KeySettings, random: Bytes): Promise<Encryption> {
  const found = await findEncryption(config, random)
  if (found) return found
  const file = besideDatabase(config.databaseUrl, 'key')
  await makeFolder(dirname(file))
  await makeKey(file, random)
  for (let tries = 0; ; tries++) {
    const key = await readKey(file, tries < 100)
    if (key) return createEncryption(random, key)
    // Another process has created the file but not written it yet.
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Opens the encryption without creating a key. Returns undefined if no key exists. */
export async function findEncryption(
  { databaseUrl, encryptionKeys: [current, ...former] }: KeySettings,
  random: Bytes,
): Promise<Encryption | undefined> {
  const key = current ?? (await readKey(besideDatabase(databaseUrl, 'key'), true))
  return key && createEncryption(random, key, former)
}

/** Reads a key file. Returns undefined if it does not exist, or if it is empty and `mayBeEmpty`. */
async function readKey(file: string, mayBeEmpty: boolean): Promise<Uint8Array | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  if (text === '' && mayBeEmpty) return undefined
  const key = parseEncryptionKey(text.trim())
  if (!key)
    throw new Error(`${file} contains no encryption key. Restore the original file from a backup.`)
  return key
}

async function makeKey(file: string, random: Bytes): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST') return undefined
    throw error
  })
  if (!handle) return
  try {
    await handle.writeFile(`${Buffer.from(random.bytes(keyLength)).toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Rows updated per transaction. A small batch does not hold up other writes. */
const batch = 500

/**
 * Re-encrypts all texts under the current key. Servers may run meanwhile. Afterwards, the other
 * keys (`retired`) are no longer needed.
 */
export async function rotateKeys({ db, encryption }: OperatorContext) {
  const retired = (await store.listKeyIds(db.read)).filter((id) => id !== encryption.keyId)
  let rotated = 0
  for (const column of store.sealedColumns) {
    const { purpose } = column
    let after: store.SealedText['key'] | undefined
    for (;;) {
      const prefix = sealedPrefix(encryption.keyId)
      const found = await store.listTexts(db.read, column, { prefix, after, limit: batch })
      await db.write(async (trx) => {
        for (const text of found) {
          const plain = encryption.open(purpose, text.row, text.text as Sealed)
          await store.replaceText(trx, column, text, encryption.seal(purpose, text.row, plain))
        }
      })
      rotated += found.length
      after = found.at(-1)?.key
      if (found.length < batch) break
    }
  }
  await db.write((trx) => store.deleteKeyIds(trx, retired))
  return { rotated, keyId: encryption.keyId, retired }
}
