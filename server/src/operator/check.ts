import { createHash } from 'node:crypto'
import { findEncryption } from '../app/encryption-key.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { migrationStatus } from '../db/migrations/migrate.ts'
import { type DatabaseToRead, openToRead } from '../db/open.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'
import { errorCode } from '../errors/error-code.ts'
import { messageOf } from '../errors/message-of.ts'
import type { Config } from '../runtime/config/config.ts'
import { systemRandom } from '../secrets/random.ts'
import { openBlob } from '../skills/bundles/blobs.ts'
import { listKeyIds } from '../store/encryption-keys.ts'
import * as store from '../store/integrity.ts'
import { type BlobRecord, listBlobsInDatabase } from '../store/registry/blobs.ts'

interface Check {
  readonly name: string
  readonly passed: boolean
  /** The result, or the problem and its remedy unless that is a backup. */
  readonly message: string
}

type Keys = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

interface CheckContext {
  readonly db: DatabaseToRead
  readonly config: Keys
}

/**
 * Checks the database at `url`, `name` in messages, against the encryption keys of a configuration.
 * Changes nothing, so servers can keep running. If the database cannot be opened or its schema is
 * unknown, later checks are left out.
 */
export async function checkDatabase(
  config: Keys,
  { url, name } = { url: config.databaseUrl, name: databaseName(config) },
): Promise<Check[]> {
  const done: Check[] = []
  let db: DatabaseToRead | undefined
  try {
    for (const [check, run] of Object.entries(checks)) {
      try {
        db ??= await openToRead(url)
        done.push({ name: check, passed: true, message: await run({ db, config }) })
      } catch (error) {
        done.push({ name: check, passed: false, message: `${name}: ${explain(error)}` })
        if (!db || check === 'schema') break
      }
    }
    return done
  } finally {
    await db?.close()
  }
}

function explain(error: unknown): string {
  if (errorCode(error) === 'ENOENT') {
    return 'there is no database. Check DATABASE_URL, or run skillpass-server migrate up.'
  }
  // `DatabaseUnavailable` repeats the name and a remedy, so use only the message of its cause.
  return messageOf(error instanceof DatabaseUnavailable ? (error.cause ?? error) : error)
}

/** The checks in order. They throw what they find. Those after `schema` need a known schema. */
const checks: Readonly<Record<string, (ctx: CheckContext) => Promise<string>>> = {
  async integrity({ db }) {
    const faults = await store.listFaults(db.read)
    if (faults.length > 0) throw new Error(firstFive(faults))
    return 'intact'
  },
  async schema({ db }) {
    const migrations = await migrationStatus(db)
    const applied = migrations.filter(({ appliedAt }) => appliedAt !== null)
    const last = applied.at(-1)?.name
    if (last === undefined) {
      throw new Error(
        'no Skillpass tables. Check DATABASE_URL, or run skillpass-server migrate up.',
      )
    }
    const unknown = applied.filter(({ isKnown }) => !isKnown).map((migration) => migration.name)
    if (unknown.length > 0) {
      throw new Error(
        `a newer version of Skillpass has migrated it (${firstFive(unknown)}). Use that version.`,
      )
    }
    const pending = migrations.length - applied.length
    return pending === 0 ? `at ${last}` : `at ${last}; ${pending} migrations are pending`
  },
  async contents({ db }) {
    const changed: string[] = []
    let count = 0
    for await (const { name, digest, parts } of contentsOf(db)) {
      count++
      if ((await digestOf(parts)) !== digest) changed.push(name)
    }
    if (changed.length === 0) return `all ${count} texts and files match their digests`
    throw new Error(
      `${changed.length} texts or files do not match their digests: ${firstFive(changed)}`,
    )
  },
  async keys({ db, config }) {
    const encryption = await findEncryption(config, systemRandom)
    const ids = await listKeyIds(db.read)
    const missing = ids.filter((id) => !encryption?.keyIds.includes(id))
    if (missing.length === 0) return 'all encryption keys are set'
    throw new Error(
      `secrets are encrypted with the key ${missing.join(', ')}, which is missing. Set ENCRYPTION_KEY to it, or append it after a comma.`,
    )
  },
}

/** Yields every text of a version and every file that is in the database. */
async function* contentsOf(db: DatabaseToRead) {
  const texts = inPages<store.StoredText>((last) => store.listStoredTexts(db.read, last))
  for await (const { skillId, version, digest, readme } of texts) {
    yield { name: `${skillId} version ${version}`, digest, parts: [readme] }
  }
  const blobs = inPages<BlobRecord>((last) => listBlobsInDatabase(db.read, last?.digest ?? '', 500))
  for await (const blob of blobs) {
    const { digest } = blob
    yield { name: digest, digest, parts: openBlob({ db, objects: undefined }, blob) }
  }
}

async function* inPages<T>(list: (last: T | undefined) => Promise<T[]>) {
  for (let page = await list(undefined); page.length > 0; page = await list(page.at(-1))) {
    yield* page
  }
}

/** Returns the digest of the concatenated parts; undefined if reading them fails. */
async function digestOf(parts: Iterable<string> | AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  try {
    for await (const part of parts) hash.update(part)
    return `sha256:${hash.digest('hex')}`
  } catch {
    return undefined
  }
}

const firstFive = (items: readonly string[]): string =>
  `${items.slice(0, 5).join(', ')}${items.length > 5 ? ', …' : ''}`

/** Returns the name of the database for messages: its file, or its host and path. */
export function databaseName({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl.startsWith('file:')) return sqliteFile(databaseUrl)
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}
