import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEncryptionKey } from '../config/checks.ts'
import type { Config } from '../config/config.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'
import { errorCode } from '../errors/error-code.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import type { Random } from '../runtime/time.ts'
import { createEncryption, type Encryption, keyLength } from '../secrets/encryption.ts'

/**
 * Encryption under `ENCRYPTION_KEY`. Without it, outside production, under a key that is made once and
 * kept in a file of mode 0600: beside the SQLite file, or for Postgres in `data/` under the database's
 * name. Throws a sentence where that file cannot be used.
 */
export async function openEncryption(
  config: Pick<Config, 'databaseUrl' | 'encryption'>,
  random: Pick<Random, 'bytes'>,
): Promise<Encryption> {
  const { key, previous } = config.encryption
  return createEncryption(random, key ?? (await keptKey(config.databaseUrl, random)), previous)
}

/**
 * Encryption under the keys that are there, for those who only look: no key is made. Undefined where
 * there is none. Throws a sentence where the file of the key holds none.
 */
export async function findEncryption(
  config: Pick<Config, 'databaseUrl' | 'encryption'>,
  random: Pick<Random, 'bytes'>,
): Promise<Encryption | undefined> {
  const { key, previous } = config.encryption
  if (key) return createEncryption(random, key, previous)
  const file = keyFile(config.databaseUrl)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  return text === undefined
    ? undefined
    : createEncryption(random, parse(file, text.trim()), previous)
}

async function keptKey(databaseUrl: string, random: Pick<Random, 'bytes'>): Promise<Uint8Array> {
  const file = keyFile(databaseUrl)
  await makeFolder(dirname(file))
  await makeKey(file, random)
  // Another process may have made the file and not have written it yet.
  for (let tries = 0; ; tries++) {
    const text = (await readFile(file, 'utf8')).trim()
    if (text !== '' || tries === 100) return parse(file, text)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function makeKey(file: string, random: Pick<Random, 'bytes'>): Promise<void> {
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

function parse(file: string, text: string): Uint8Array {
  try {
    return parseEncryptionKey(text)
  } catch {
    throw new Error(`${file} holds no encryption key: put the one back that was there.`)
  }
}

function keyFile(databaseUrl: string): string {
  if (databaseUrl.startsWith('file:')) return `${sqliteFile(databaseUrl)}-key`
  const name = decodeURIComponent(new URL(databaseUrl).pathname).replace(/[^\w-]+/g, '_')
  return join('data', `postgres${name}-key`)
}
