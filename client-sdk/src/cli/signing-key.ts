import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from '../client.ts'
import { keyStatement } from '../contract/registry/signed-statement.ts'
import type { Terminal } from './command.ts'
import { unlessMissing } from './errors.ts'
import { configFolder } from './logins.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Reads the signing key of the agent from the PEM file at `SKILLPASS_SIGNING_KEY`, or from the
 * user's configuration. If the agent has no key yet, creates and registers one.
 */
export async function openSigningKey(client: Client, terminal: Terminal): Promise<KeyObject> {
  const { username, signingKey } = (await client.registry.agents.me()).data
  const path = terminal.env.SKILLPASS_SIGNING_KEY?.trim() || defaultPath(username, terminal)
  const stored = await readKey(path)
  if (!stored && signingKey !== null) {
    throw new Error(
      `Your signing key is not in ${path}. Copy it there, or set SKILLPASS_SIGNING_KEY to its file.`,
    )
  }
  const privateKey = stored ?? (await makeKey(path, terminal))
  const publicKey = publicKeyOf(privateKey)
  if (publicKey !== signingKey) {
    const statement = Buffer.from(keyStatement(username, publicKey))
    const proof = sign(null, statement, privateKey).toString('base64')
    await client.registry.agents.setSigningKey({ body: { publicKey, proof } })
  }
  return privateKey
}

const defaultPath = (username: string, terminal: Terminal) =>
  join(configFolder(terminal), 'keys', `${username}.pem`)

async function readKey(path: string): Promise<KeyObject | undefined> {
  const pem = await readFile(path, 'utf8').catch(unlessMissing)
  if (pem === undefined) return undefined
  const key = parsed(pem)
  if (key?.asymmetricKeyType !== 'ed25519') throw new Error(`${path} has no Ed25519 private key.`)
  return key
}

/** Hides the message of the parser, which could quote the key. */
function parsed(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

async function makeKey(path: string, terminal: Terminal): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ed25519')
  await makeFolder(dirname(path), 0o700)
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  await writeFile(path, pem, { mode: 0o600, flag: 'wx' })
  await chmod(path, 0o600)
  terminal.warn(
    `Created your signing key in ${path}. Keep a copy. Only the operator can reset a lost key.\n`,
  )
  return privateKey
}

/** Returns the raw public key in Base64. */
const publicKeyOf = (privateKey: KeyObject) =>
  Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
